// direct/residual.hpp -- what a step of iterative refinement does with vectors of the host.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon {

// to(i, k) = from(i, k).
template <class T>
void copy(const Vectors<const T>& from, const Vectors<T>& to) {
  for (Index k = 0; k < from.count; ++k)
    for (Index i = 0; i < from.n; ++i)
      to.data[i * to.step() + k * to.stride()] = from.data[i * from.step() + k * from.stride()];
}

// r = b - A x.
template <class T>
void residual(const CsrView<T>& a, const Vectors<const T>& x, const Vectors<const T>& b,
              const Vectors<T>& r) {
  for (Index k = 0; k < b.count; ++k)
    for (Index i = 0; i < a.rows; ++i) {
      T sum = b.data[i * b.step() + k * b.stride()];
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
        sum -= a.value[p] * x.data[a.index[p] * x.step() + k * x.stride()];
      r.data[i + k * r.stride()] = sum;
    }
}

template <class T>
void add(const Vectors<T>& x, const Vectors<const T>& d) {
  for (Index k = 0; k < x.count; ++k)
    for (Index i = 0; i < x.n; ++i)
      x.data[i * x.step() + k * x.stride()] += d.data[i + k * d.stride()];
}

}  // namespace echelon
