// bench/support/cusparse.hpp -- one triangle on a device, solved by cuSPARSE: SpSV for one
// right-hand side, SpSM for several.
// SPDX-License-Identifier: BSD-3-Clause
//
// Fairness.  Compressed rows with 32-bit indices, analyzed once, no transposes: a caller with many
// solves stores the rows of each triangle, the fastest form for cuSPARSE.
#pragma once

#include <memory>
#include <string>

#include "echelon/matrix.hpp"

namespace echelon::bench {

// The reason why cuSPARSE cannot run here; empty if it can.
std::string why_no_cusparse();

// A triangle by rows, sorted; a unit diagonal need not be stored.
template <Scalar T>
struct RowTriangle {
  Csr<T> rows;
  Uplo part = Uplo::lower;
  Diagonal diagonal = Diagonal::stored;
};

struct CusparseFacts {
  const char* routine = "";  // the routine that solves
  double upload_s = 0;
  double analysis_s = 0;       // by the device's events
  Offset matrix_bytes = 0;     // values and indices
  Offset workspace_bytes = 0;  // extra memory of cuSPARSE
};

template <Scalar T>
class CusparseTriangle {
 public:
  // Copies the triangle to the device and analyzes it, for `count` right-hand sides by columns.
  // Throws backend_missing (no cuSPARSE, no device, too many entries for 32 bits), out_of_memory,
  // backend_failed.
  CusparseTriangle(const RowTriangle<T>& triangle, Index count);
  CusparseTriangle(CusparseTriangle&&) noexcept;
  ~CusparseTriangle();

  // Enqueues the solve in the stream; the vectors are on the device.
  void solve(const Vectors<const T>& b, const Vectors<T>& x, void* stream) const;

  const CusparseFacts& facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon::bench
