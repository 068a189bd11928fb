// analysis/band_limits.hpp -- limits on the size of a chunk of a band.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The shared memory of a block (exec/cuda/bands/band_shared_memory.hpp) grows with three
// numbers: rows and fetches, for which the rings hold several chunks, and entries.  One plan serves
// all scalars, so the limits must fit for the largest.
#pragma once

#include <algorithm>

#include "echelon/analysis.hpp"

namespace echelon {

constexpr Index band_lane_entries = 4;  // entries in registers per thread

struct BandLimits {
  Index rows, fetches;
  Offset entries;  // including padding

  // Ring sizes, powers of two.
  constexpr BandRings rings() const {
    return {BandRings::chunks * rows, 2 * BandRings::chunks * fetches};
  }
};

// Largest shared memory of a block, for numbers of `number_bytes` bytes.
constexpr Offset band_bytes(const BandLimits& l, Offset number_bytes) {
  constexpr Offset head = 48, gates = 3 * 8, padding = 64;
  // A lane of a short row has as many entries as one read brings: four of float.
  const Offset entries = std::max<Offset>(l.entries, Offset{l.rows} * band_lane_entries);
  const Offset chunk = head + entries * (number_bytes + 2) + l.rows * (number_bytes + 8 + 2) +
                       l.fetches * 4 + padding;
  return BandRings::stages(static_cast<std::size_t>(number_bytes)) *
             (chunk + gates + l.rows * number_bytes) +
         l.rings().slots() * number_bytes + padding;
}
// The maximum over all scalars.
constexpr Offset band_bytes(const BandLimits& l) {
  return std::max({band_bytes(l, 4), band_bytes(l, 8), band_bytes(l, 16)});
}

// For H100, A100, GPUs with 99 KiB, and less.  A single row may have 128 entries and as many
// fetches.
constexpr BandLimits all_band_limits[] = {{512, 512, 2048}, {256, 256, 2048}, {256, 128, 1024},
                                          {128, 128, 1024}, {128, 128, 512},  {64, 128, 512}};
// Slot offsets have 16 bits, and at most eight units per slot
// (exec/cuda/bands/band_shared_memory.hpp).
static_assert(all_band_limits[0].rings().slots() * 8 <= 1 << 16);
// The largest limits that fit and pay off for this number of threads; otherwise the smallest.
constexpr BandLimits band_limits(Index threads, Offset shared_memory) {
  const Index most = threads <= 64 ? 256 : 512;
  for (const BandLimits& l : all_band_limits)
    if (l.rows <= most && band_bytes(l) <= shared_memory) return l;
  return std::end(all_band_limits)[-1];
}

// Threads per row, and entries per thread, if the longest row has `longest` entries.
constexpr Index lanes_of_band_row(Index longest) {
  Index lanes = 1;
  while (lanes < 32 && lanes * band_lane_entries < longest) lanes *= 2;
  return lanes;
}
constexpr Index entries_of_band_lane(Index longest) {
  return longest > band_lane_entries / 2 ? band_lane_entries : band_lane_entries / 2;
}

}  // namespace echelon
