// analysis/band_limits.hpp -- how much a chunk of a band may hold.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  What a block keeps in shared memory (exec/cuda/bands/band_shared_memory.hpp) grows with
// three numbers: rows and fetches, of which the rings have places for several chunks, and entries.
// A plan serves all scalars, so the first limits are taken with which none needs more than there
// is.
#pragma once

#include <algorithm>

#include "echelon/analysis.hpp"

namespace echelon {

constexpr Index band_lane_entries = 4;  // that a thread has at hand

struct BandLimits {
  Index rows, fetches;
  Offset entries;  // with those that are none

  // Powers of two: what a block has places for.
  constexpr BandRings rings() const {
    return {BandRings::chunks * rows, 2 * BandRings::chunks * fetches};
  }
};

// Shared memory of a block at most, for numbers of so many bytes.
constexpr Offset band_bytes(const BandLimits& l, Offset number_bytes) {
  constexpr Offset head = 48, gates = Offset{3} * 8, padding = 64;
  // Lanes of short rows have as many entries as are read at once: of float four.
  const Offset entries = std::max<Offset>(l.entries, Offset{l.rows} * band_lane_entries);
  const Offset chunk = head + entries * (number_bytes + 2) + l.rows * (number_bytes + 8 + 2) +
                       Offset{l.fetches} * 4 + padding;
  return BandRings::stages(static_cast<std::size_t>(number_bytes)) *
             (chunk + gates + l.rows * number_bytes) +
         l.rings().slots() * number_bytes + padding;
}
// For any scalar.
constexpr Offset band_bytes(const BandLimits& l) {
  return std::max({band_bytes(l, 4), band_bytes(l, 8), band_bytes(l, 16)});
}

// Those of H100, A100, GPUs with 99 KiB, and less.  A row alone may have 128 entries, and fetch as
// many.
constexpr BandLimits all_band_limits[] = {{512, 512, 2048}, {256, 256, 2048}, {256, 128, 1024},
                                          {128, 128, 1024}, {128, 128, 512},  {64, 128, 512}};
// Slots are told apart by offsets of 16 bits, eight a slot
// (exec/cuda/bands/band_shared_memory.hpp).
static_assert(all_band_limits[0].rings().slots() * 8 <= 1 << 16);
// The largest that are worth it for so many threads, and fit; else the least.
constexpr BandLimits band_limits(Index threads, Offset shared_memory) {
  const Index most = threads <= 64 ? 256 : 512;
  for (const BandLimits& l : all_band_limits)
    if (l.rows <= most && band_bytes(l) <= shared_memory) return l;
  return std::end(all_band_limits)[-1];
}

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
