// analysis/band_limits.hpp -- how much a chunk of a band may hold.
// SPDX-License-Identifier: BSD-3-Clause
//
// The rings and stages of a block with these limits fit into 227 KiB of shared memory for numbers
// of up to 16 bytes (exec/cuda/band_room.hpp).
#pragma once

#include "echelon/types.hpp"

namespace echelon {

struct BandLimits {
  Index rows, fetches;
  Offset entries;  // with those that are none
};
constexpr BandLimits band_limits(Index threads) {
  const Index rows = threads <= 64 ? 256 : 512;
  return {rows, rows, 2048};
}

constexpr Index band_lane_entries = 4;  // that a thread has at hand

// Threads of a row, where the longest has so many entries, and entries of each.
constexpr Index lanes_of_band_row(Index longest) {
  Index lanes = 1;
  while (lanes < 32 && lanes * band_lane_entries < longest) lanes *= 2;
  return lanes;
}
constexpr Index entries_of_band_lane(Index longest) {
  return longest > band_lane_entries / 2 ? band_lane_entries : band_lane_entries / 2;
}

}  // namespace echelon
