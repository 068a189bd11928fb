// bench/gauss_seidel/plain_sweep.hpp -- Gauss-Seidel sweeps as plain serial loops over compressed
// rows, the baseline of Echelon's smoother.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"
#include "echelon/smoother.hpp"

namespace echelon::bench {

// Two forms of the loop; both read the given matrix once per sweep.
enum class PlainLoop {
  whole_row,  // x(i) += omega (b - A x)(i) / d(i): one loop over the row, as with Eigen's iterators
  split_row,  // entries before the diagonal, then entries after it: PETSc's MatSOR for AIJ
};
constexpr const char* name(PlainLoop loop) {
  return loop == PlainLoop::whole_row ? "plain" : "matsor";
}

// Both forms precompute the places of the diagonal, and omega divided by it.
template <Scalar T>
class PlainSweep {
 public:
  // `a` must outlive this object and have sorted rows with a diagonal.
  PlainSweep(const Csr<T>& a, double omega);
  void sweep(PlainLoop loop, Sweep direction, const T* b, T* x) const;

 private:
  template <bool forward>
  void whole_rows(const T* b, T* x) const;
  template <bool forward, bool keeps>  // without: omega is 1, and no old x(i) is read
  void split_rows(const T* b, T* x) const;
  template <bool forward>
  void sweep_rows(PlainLoop loop, const T* b, T* x) const;

  const Csr<T>& a_;
  Real<T> omega_;
  Buffer<Offset> diagonal_;
  Buffer<T> inverse_;
};

}  // namespace echelon::bench
