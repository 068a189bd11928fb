// bench/gauss_seidel/plain_sweep.hpp -- sweeps as a plain serial loop over compressed rows: whom
// Echelon's smoother is timed against.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"
#include "echelon/smoother.hpp"

namespace echelon::bench {

// Two ways to write the loop; both read the matrix as it is given, once a sweep.
enum class PlainLoop {
  whole_row,  // x(i) += omega (b - A x)(i) / d(i): one loop over the row, as with Eigen's iterators
  split_row,  // what lies before the diagonal, then what lies after it: PETSc's MatSOR for AIJ
};
constexpr auto names(PlainLoop) {
  return name_table<PlainLoop>({{PlainLoop::whole_row, "plain"}, {PlainLoop::split_row, "matsor"}});
}

// What both prepare: where the diagonal is, and omega over it.
template <Scalar T>
class PlainSweep {
 public:
  // `a` must stay, and have sorted rows with a diagonal.
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
