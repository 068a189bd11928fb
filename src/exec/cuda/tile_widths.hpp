// exec/cuda/tile_widths.hpp -- the numbers of right-hand sides that kernels of the persistent solve
// are made for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <type_traits>

#include "echelon/types.hpp"

namespace echelon {

constexpr std::array<Index, 3> tile_widths{1, 4, 16};

// The place of the one that serves so many.
constexpr std::size_t tile_width_for(Index right_sides) {
  return right_sides <= tile_widths[0] ? 0 : right_sides <= tile_widths[1] ? 1 : 2;
}

// Calls visit with one of them as a type.
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
