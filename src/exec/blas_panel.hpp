// exec/blas_panel.hpp -- one panel's part of a solve as two BLAS calls: a triangular solve and a
// matrix product.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/blas.hpp"

namespace echelon {

// A panel [D; P], stored column-major, and the vectors of its task: the panel's own unknowns, then
// the rows below.
template <Scalar T>
struct BlasPanel {
  Index w, h;
  const T* value;
  T* x;
  Index ld;     // leading dimension of x
  Index count;  // right-hand sides
};

// Forwards: x(own) = D^-1 x(own), outside = -P x(own).
// Backwards: x(own) = D^-T (x(own) - P' outside).
// `blas` has solve_lower and multiply with the arguments of base/blas.hpp.
template <class Blas, Scalar T>
void solve_panel(const Blas& blas, const BlasPanel<T>& p, bool pull) {
  const Index ld = p.w + p.h;
  const T* const below = p.value + p.w;
  T* const outside = p.x + p.w;
  if (pull && p.h > 0)
    blas.multiply(
        BlasProduct<T>{true, p.h, p.w, p.count, T(-1), below, ld, outside, p.ld, T(1), p.x, p.ld});
  blas.solve_lower(pull, p.w, p.count, p.value, ld, p.x, p.ld);
  if (!pull && p.h > 0)
    blas.multiply(
        BlasProduct<T>{false, p.h, p.w, p.count, T(-1), below, ld, p.x, p.ld, T(0), outside, p.ld});
}

// The host's BLAS.
struct HostBlas {
  template <Scalar T>
  // NOLINTNEXTLINE(readability-function-size): the arguments of BLAS's trsm
  void solve_lower(bool transposed, Index n, Index k, const T* l, Index ldl, T* b,
                   Index ldb) const {
    blas_solve_lower(transposed, n, k, l, ldl, b, ldb);
  }
  template <Scalar T>
  void multiply(const BlasProduct<T>& p) const {
    blas_multiply(p);
  }
};

}  // namespace echelon
