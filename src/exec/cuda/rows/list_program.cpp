// exec/cuda/rows/list_program.cpp -- assigns rows or columns to warps, and levels to launches.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cuda/rows/list_program.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Offset entry_grain = 1 << 16;  // entries per thread, at least

// Whether all lists that a warp takes from k on, with 2^lane_bits lanes each, fit into their lanes.
bool fit(const RisingOffsets& start, Index k, Index lane_bits) {
  const Index n = start.size() - 1;
  const Index end = k + std::min(n - k, Index{1} << (lane_bits_of_a_warp - lane_bits));
  const Offset most = Offset{entries_ahead} << lane_bits;
  for (Index i = k; i < end; ++i)
    if (start[i + 1] - start[i] > most) return false;
  return true;
}

}  // namespace

Buffer<ListTask> make_list_tasks(const RisingOffsets& start) {
  const Index n = start.size() - 1;
  Buffer<ListTask> tasks;
  for (Index k = 0; k < n;) {
    Index bits = 0;
    while (bits < lane_bits_of_a_warp && !fit(start, k, bits)) ++bits;
    tasks.push_back({k, bits});
    k += std::min(n - k, Index{1} << (lane_bits_of_a_warp - bits));
  }
  tasks.push_back({n, 0});
  return tasks;
}

Buffer<Index> find_level_lanes(const Buffer<Index>& level_start, const RisingOffsets& start) {
  Buffer<Index> bits;
  for (std::size_t l = 0; l + 1 < level_start.size(); ++l) {
    const Index begin = level_start[l], end = level_start[l + 1];
    const int lanes = lanes_for(start[end] - start[begin], end - begin);
    bits.push_back(static_cast<Index>(std::countr_zero(static_cast<unsigned>(lanes))));
  }
  return bits;
}

std::vector<LevelRun> make_level_runs(const Buffer<Index>& level_start,
                                      const Buffer<Index>& lane_bits, Index width_bits,
                                      Index block_threads) {
  std::vector<LevelRun> runs;
  bool small_before = false;
  for (Index l = 0; l < static_cast<Index>(lane_bits.size()); ++l) {
    const Index begin = level_start[l], end = level_start[l + 1];
    const Index bits = clip_lanes(lane_bits[l], width_bits) + width_bits;
    const bool small = Offset{end - begin} << bits <= block_threads;
    if (small && small_before)
      runs.back().last = l + 1;
    else
      runs.push_back({l, l + 1, begin, end, lane_bits[l]});
    small_before = small;
  }
  return runs;
}

double mean_level_width(const Buffer<Index>& level_start) {
  if (level_start.size() < 2 || level_start.back() == 0) return 0;
  double squares = 0;
  for (std::size_t l = 0; l + 1 < level_start.size(); ++l) {
    const double size = level_start[l + 1] - level_start[l];
    squares += size * size;
  }
  return squares / level_start.back();
}

Buffer<Index> index_by_position(const PackedPattern& pattern, Index threads) {
  Buffer<Index> position(static_cast<std::size_t>(pattern.n));
  for (Index k = 0; k < pattern.n; ++k) position[pattern.order[k]] = k;
  Buffer<Index> index(pattern.index.size());
  parallel_pieces(pattern.nonzeros(), entry_grain, threads, [&](Offset begin, Offset end, Index) {
    for (Offset p = begin; p < end; ++p) index[p] = position[pattern.index[p]];
  });
  return index;
}

Buffer<unsigned> count_uses(Index n, const Buffer<Index>& index) {
  Buffer<unsigned> uses(static_cast<std::size_t>(n), 0u);
  for (const Index k : index) ++uses[k];
  return uses;
}

}  // namespace echelon
