// tests/exec/cuda/rows/test_list_program.cpp -- every list is in one task and every level in one
// launch.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/solver.hpp"
#include "exec/cuda/rows/list_program.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

RisingOffsets starts_of(const std::vector<Index>& lengths) {
  RisingOffsets start;
  start.resize(static_cast<Index>(lengths.size()) + 1);
  Offset sum = 0;
  start.set(0, 0);
  for (std::size_t k = 0; k < lengths.size(); ++k)
    start.set(static_cast<Index>(k) + 1, sum += lengths[k]);
  return start;
}

TEST(ListTasks, HoldEachListOnceWithItsEntriesAtHand) {
  std::mt19937 random(3);
  std::uniform_int_distribution<Index> usual(0, 9), rare(0, 30);
  for (const int n : {0, 1, 31, 32, 33, 1000}) {
    std::vector<Index> lengths(static_cast<std::size_t>(n));
    for (Index& length : lengths) length = rare(random) == 0 ? 500 : usual(random);
    const Buffer<ListTask> tasks = make_list_tasks(starts_of(lengths));
    ASSERT_EQ(tasks.front().first, 0);
    ASSERT_EQ(tasks.back().first, n);
    for (std::size_t t = 0; t + 1 < tasks.size(); ++t) {
      const Index lists = tasks[t + 1].first - tasks[t].first, bits = tasks[t].lane_bits;
      EXPECT_GT(lists, 0);
      EXPECT_LE(lists << bits, 32);
      const auto first = lengths.begin() + tasks[t].first;
      const Index longest = *std::max_element(first, first + lists);
      EXPECT_TRUE(longest <= entries_ahead << bits || bits == 5) << longest << " by 2^" << bits;
      if (bits > 0 && longest <= entries_ahead << (bits - 1)) {
        EXPECT_GT(*std::max_element(first, first + std::min(2 * lists, n - tasks[t].first)),
                  entries_ahead << (bits - 1))
            << "fewer lanes would do";
      }
    }
  }
}

TEST(LevelRuns, GatherSmallLevelsAndNoOthers) {
  // Rows:                          3  2  600  1  1  300 300
  const Buffer<Index> level_start{0, 3, 5, 605, 606, 607, 907, 1207};
  const Buffer<Index> one_lane(7, 0);
  const auto ranges = [&](Index width_bits, const Buffer<Index>& lanes) {
    std::vector<std::pair<Index, Index>> found;
    for (const LevelRun& run : make_level_runs(level_start, lanes, width_bits, 512)) {
      EXPECT_EQ(run.begin, level_start[run.first]);
      EXPECT_EQ(run.end, level_start[run.first + 1]);
      found.emplace_back(run.first, run.last);
    }
    return found;
  };
  using Ranges = std::vector<std::pair<Index, Index>>;
  EXPECT_EQ(ranges(0, one_lane), (Ranges{{0, 2}, {2, 3}, {3, 7}}));
  EXPECT_EQ(ranges(1, one_lane), (Ranges{{0, 2}, {2, 3}, {3, 5}, {5, 6}, {6, 7}}));
  const Buffer<Index> whole_warps(7, 5);
  EXPECT_EQ(ranges(4, whole_warps), (Ranges{{0, 2}, {2, 3}, {3, 5}, {5, 6}, {6, 7}}));
  EXPECT_TRUE(make_level_runs({}, {}, 0, 512).empty());
}

TEST(LevelLanes, FollowTheAverageOfTheLevel) {
  const RisingOffsets start = starts_of({0, 0, 3, 5, 900});
  EXPECT_EQ(find_level_lanes({0, 2, 4, 5}, start), (Buffer<Index>{0, 1, 5}));
}

TEST(Crowd, IsTheLevelOfAnAverageUnknown) {
  EXPECT_EQ(mean_level_width({}), 0);
  EXPECT_EQ(mean_level_width({0, 1, 2, 3}), 1);
  EXPECT_EQ(mean_level_width({0, 3, 4}), 2.5);
}

TEST(Positions, AreBeforeTheirOwnInEveryList) {
  const auto a = test::random_matrix<double>({.n = 300});
  const Analysis analysis(upper(a, {.outside = OutsideEntries::ignore}),
                          {.method = Method::element_row});
  const PackedPattern& pattern = analysis.plan().pattern;
  const Buffer<Index> index = index_by_position(pattern, 2);
  ASSERT_EQ(index.size(), pattern.index.size());
  for (Index k = 0; k < pattern.n; ++k)
    for (Offset p = pattern.start[k]; p < pattern.start[k + 1]; ++p) {
      EXPECT_LT(index[p], k);
      EXPECT_EQ(pattern.order[index[p]], pattern.index[p]);
    }
  const Buffer<unsigned> uses = count_uses(pattern.n, index);
  EXPECT_EQ(std::accumulate(uses.begin(), uses.end(), Offset{0}), pattern.nonzeros());
}

}  // namespace
}  // namespace echelon
