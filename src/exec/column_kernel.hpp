// exec/column_kernel.hpp -- the inner loop of the column methods: finish one unknown, then subtract
// its contribution from all unknowns that depend on it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  At the start x = alpha b.  x(j) is ready when the contributions of all its dependencies
// have been subtracted.  Then x(j) is divided by d(j), and x(i) -= M(i,j) x(j) for every i in its
// list.  Several threads may subtract from one x(i).  These updates are atomic; their order differs
// from run to run, and so do the last bits of the sum.
#pragma once

#include <atomic>

#include "exec/row_kernel.hpp"

namespace echelon {

// One right-hand side; the caller has set x to alpha b.
template <class T>
struct ColumnPass {
  const PackedPattern& pattern;
  const PackedValues<T>& values;
  T* x;
  Offset step;  // distance from x(i) to x(i+1)
  bool shared;  // other threads write x too
};

template <class R>
void subtract_atomic(R& x, R a) {
  std::atomic_ref<R>(x).fetch_sub(a, std::memory_order_relaxed);
}
template <class R>
void subtract_atomic(std::complex<R>& x, std::complex<R> a) {
  R* const parts = reinterpret_cast<R*>(&x);  // the standard lays a complex out as two reals
  subtract_atomic(parts[0], a.real());
  subtract_atomic(parts[1], a.imag());
}

// Finishes the unknown at position k.  Calls after(i) after each update of an x(i).
template <class T, class After>
Real<T> solve_column(const ColumnPass<T>& pass, Index k, const After& after) {
  const PackedPattern& m = pass.pattern;
  T& xj = pass.x[m.order[k] * pass.step];
  T x = xj;
  switch (pass.values.form) {
    case DiagonalForm::unit:
      break;
    case DiagonalForm::reciprocal:
      x = multiply(x, pass.values.diagonal[k]);
      break;
    case DiagonalForm::plain:
      x = divide(x, pass.values.diagonal[k]);
      break;
  }
  xj = x;
  for (Offset p = m.start[k]; p < m.start[k + 1]; ++p) {
    const Index i = m.index[p];
    const T share = multiply(pass.values.value[p], x);
    T& xi = pass.x[i * pass.step];
    if (pass.shared)
      subtract_atomic(xi, share);
    else
      xi -= share;
    after(i);
  }
  return probe_of(x);
}

// x(i) = alpha b(i) for i in [begin, end) of vector c.
template <class T>
void scale_right_side(const SolveJob<T>& job, Index c, Offset begin, Offset end) {
  const T* const b = job.b.data + c * job.b.stride();
  T* const x = job.x.data + c * job.x.stride();
  for (Offset i = begin; i < end; ++i)
    x[i * job.x.step()] = multiply(job.alpha, b[i * job.b.step()]);
}

}  // namespace echelon
