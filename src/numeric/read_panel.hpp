// numeric/read_panel.hpp -- unpacks a packed panel into columns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"

namespace echelon {

// Unpacks rows [0, rows) of a stored column: groups of eight, real and imaginary parts apart.
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

// Unpacks a panel with w columns and h rows below, in the strips of pack_blocks, into w + h rows by
// columns.  Above the diagonal nothing is written except a few zeros.
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
