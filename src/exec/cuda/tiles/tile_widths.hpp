// exec/cuda/tiles/tile_widths.hpp -- the numbers of right-hand sides per pass that kernels of
// method tree are compiled for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <type_traits>

#include "echelon/types.hpp"

namespace echelon {

constexpr std::array<Index, 3> tile_widths{1, 4, 16};

// Index of the smallest width that serves `right_sides` right-hand sides.
constexpr std::size_t tile_width_for(Index right_sides) {
  return right_sides <= tile_widths[0] ? 0 : right_sides <= tile_widths[1] ? 1 : 2;
}

// Calls visit with the width as an integral_constant.
template <class Visit>
void with_tile_width(Index width, const Visit& visit) {
  switch (width) {
    case tile_widths[0]:
      return visit(std::integral_constant<int, tile_widths[0]>());
    case tile_widths[1]:
      return visit(std::integral_constant<int, tile_widths[1]>());
    default:
      return visit(std::integral_constant<int, tile_widths[2]>());
  }
}

}  // namespace echelon
