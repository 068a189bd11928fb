// bench/support/cusparse.hpp -- one triangle on a device as cuSPARSE solves with it: SpSV for one
// right-hand side, SpSM for several.
// SPDX-License-Identifier: BSD-3-Clause
//
// Fairness.  Compressed rows with 32-bit indices, analyzed once, no transposes: a caller who solves
// often keeps the rows of each triangle he solves with, which is what cuSPARSE is fastest on.
#pragma once

#include <memory>
#include <string>

#include "echelon/matrix.hpp"

namespace echelon::bench {

// Why cuSPARSE cannot run here; empty if it can.
std::string why_no_cusparse();

// A triangle by rows, sorted; a unit diagonal need not be stored.
template <Scalar T>
struct RowTriangle {
  Csr<T> rows;
  Uplo part = Uplo::lower;
  Diagonal diagonal = Diagonal::stored;
};

struct CusparseFacts {
  const char* routine = "";  // what solves
  double upload_s = 0;
  double analysis_s = 0;       // by the device's events
  Offset matrix_bytes = 0;     // of values and indices
  Offset workspace_bytes = 0;  // what cuSPARSE asked for besides
};

template <Scalar T>
class CusparseTriangle {
 public:
  // Copies the triangle to the device and has it analyzed, for so many right-hand sides by columns.
  // Throws backend_missing (no cuSPARSE, no device, too many entries for 32 bits), out_of_memory,
  // backend_failed.
  CusparseTriangle(const RowTriangle<T>& triangle, Index count);
  CusparseTriangle(CusparseTriangle&&) noexcept;
  ~CusparseTriangle();

  // Puts the solve into the stream, with vectors on the device.
  void solve(const Vectors<const T>& b, const Vectors<T>& x, void* stream) const;

  const CusparseFacts& facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon::bench
