// numeric/read_panel.hpp -- a packed panel back by columns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"

namespace echelon {

// Rows [0, rows) of a stored column, groups of eight; complex numbers apart.
template <Scalar T, Scalar S>
void read_rows(const S* column, Index rows, T* out) {
  constexpr Index group = PanelShape::group;
  for (Index i = 0; i < rows; ++i)
    if constexpr (is_complex<T>) {
      const auto* const part = reinterpret_cast<const Real<S>*>(column + i / group * group);
      out[i] = {static_cast<Real<T>>(part[i % group]),
                static_cast<Real<T>>(part[group + i % group])};
    } else {
      out[i] = static_cast<T>(column[i]);
    }
}

// Panel with w columns and h rows below as pack_blocks laid it out in strips, into w + h rows by
// columns.  What lies above the diagonal is not written, but for a few zeros.
template <Scalar T, Scalar S>
void read_panel(Index w, Index h, const S* stored, T* panel) {
  for (Index k = 0; k < strip_count(w, h); ++k) {
    const Strip strip = strip_of(w, h, k);
    for (Index j = 0; j < strip.full + strip.stair; ++j) {
      const Index begin = strip.begin + strip.top(j);
      const Index rows = std::min(strip.begin + strip.rows, w + h) - begin;
      read_rows(stored + strip.column(j), rows, panel + Offset{j} * (w + h) + begin);
    }
  }
}

}  // namespace echelon
