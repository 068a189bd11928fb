// exec/list_program.hpp -- how the rows or columns of a triangle are dealt out on a GPU: which of
// them a warp takes at a time, and which levels share a launch.
// SPDX-License-Identifier: BSD-3-Clause
//
// Lanes are powers of two, and kept as their logarithms.
#pragma once

#include <vector>

#include "echelon/analysis.hpp"

namespace echelon {

constexpr Index lane_bits_of_a_warp = 5;
constexpr Index entries_ahead = 4;  // of a list that a lane has at hand

// Lanes of a row, a power of two, where rows have so many entries on average.
constexpr int lanes_for(Offset entries, Index rows) {
  int lanes = 1;
  while (lanes < 32 && Offset{2} * lanes * rows < entries) lanes *= 2;  // two entries a lane
  return lanes;
}

// Neighbouring lists, up to the next task's first, that a warp solves side by side: as many as it
// has lanes for.
struct ListTask {
  Index first;
  Index lane_bits;
};
// All of them in order, and one more that begins at n.  A list has as many lanes as it takes to
// have all of its entries at hand, those of its task too, or a whole warp.
Buffer<ListTask> make_list_tasks(const RisingOffsets& start);

// The lanes of a list in each level, by the level's average.
Buffer<Index> find_level_lanes(const Buffer<Index>& level_start, const RisingOffsets& start);

// One launch: levels [first, last), of which the first is positions [begin, end).
struct LevelRun {
  Index first, last;
  Index begin, end;
  Index lane_bits;  // of the first
};
// For 2^width_bits vectors at once.  Levels in a row that a block of so many threads holds, each
// whole, share a launch.
std::vector<LevelRun> make_level_runs(const Buffer<Index>& level_start,
                                      const Buffer<Index>& lane_bits, Index width_bits,
                                      Index block_threads);

// Lanes are there for vectors first, then for entries.
constexpr Index clip_lanes(Index lane_bits, Index width_bits) {
  return lane_bits + width_bits <= lane_bits_of_a_warp ? lane_bits
                                                       : lane_bits_of_a_warp - width_bits;
}

// How many unknowns the level of an unknown has, on average over the unknowns.
double find_crowd(const Buffer<Index>& level_start);

// The lists of a pattern, positions instead of unknowns.
Buffer<Index> index_by_position(const PackedPattern& pattern, Index threads);

// How often each position is in the lists.
Buffer<unsigned> count_uses(Index n, const Buffer<Index>& index);

}  // namespace echelon
