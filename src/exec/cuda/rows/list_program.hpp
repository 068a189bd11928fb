// exec/cuda/rows/list_program.hpp -- how the rows or columns of a triangle are distributed on a
// GPU: the lists per warp, and the levels per launch.
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of lanes are powers of two, stored as logarithms.
#pragma once

#include <vector>

#include "echelon/analysis.hpp"

namespace echelon {

constexpr Index lane_bits_of_a_warp = 5;
constexpr Index entries_ahead = 4;  // entries per lane that are loaded in advance

// Lanes per row, a power of two, for `rows` rows with `entries` entries in total.
constexpr int lanes_for(Offset entries, Index rows) {
  int lanes = 1;
  while (lanes < 32 && Offset{2} * lanes * rows < entries) lanes *= 2;  // two entries per lane
  return lanes;
}

// Adjacent lists, from `first` up to the next task's first, that a warp solves together: as many as
// it has lanes for.
struct ListTask {
  Index first;
  Index lane_bits;
};
// All tasks in order, and one more that begins at n.  Each list of a task gets enough lanes to load
// all entries of its longest list in advance, at most a whole warp.
Buffer<ListTask> make_list_tasks(const RisingOffsets& start);

// Lanes per list for each level, from the average number of entries per list of the level.
Buffer<Index> find_level_lanes(const Buffer<Index>& level_start, const RisingOffsets& start);

// One launch: levels [first, last); the first level has positions [begin, end).
struct LevelRun {
  Index first, last;
  Index begin, end;
  Index lane_bits;  // of the first level
};
// For 2^width_bits vectors per pass.  Consecutive levels that each fit into one block of
// block_threads threads share a launch.
std::vector<LevelRun> make_level_runs(const Buffer<Index>& level_start,
                                      const Buffer<Index>& lane_bits, Index width_bits,
                                      Index block_threads);

// Vectors get lanes first; entries get the lanes that are left.
constexpr Index clip_lanes(Index lane_bits, Index width_bits) {
  return lane_bits + width_bits <= lane_bits_of_a_warp ? lane_bits
                                                       : lane_bits_of_a_warp - width_bits;
}

// The width of an unknown's level, averaged over all unknowns.
double mean_level_width(const Buffer<Index>& level_start);

// The indices of the pattern's lists as positions instead of unknowns.
Buffer<Index> index_by_position(const PackedPattern& pattern, Index threads);

// How often each position occurs in the lists.
Buffer<unsigned> count_uses(Index n, const Buffer<Index>& index);

}  // namespace echelon
