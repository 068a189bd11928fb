// tests/dist/test_block_map.cpp -- grids of ranks, and who has which block.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "dist/patterns.hpp"

namespace echelon {
namespace {

TEST(ProcessGrids, AreAsSquareAsCanBe) {
  const auto shape = [](Index ranks) {
    const ProcessGrid g = square_grid(ranks);
    return std::pair(g.rows, g.cols);
  };
  EXPECT_EQ(shape(1), std::pair(1, 1));
  EXPECT_EQ(shape(2), std::pair(2, 1));
  EXPECT_EQ(shape(6), std::pair(3, 2));
  EXPECT_EQ(shape(7), std::pair(7, 1));
  EXPECT_EQ(shape(9), std::pair(3, 3));
  EXPECT_EQ(shape(4096), std::pair(64, 64));
}

TEST(ProcessGrids, NumberEachPlaceOnce) {
  for (const bool by_columns : {false, true}) {
    const ProcessGrid g{3, 4, by_columns};
    std::set<Index> ranks;
    for (Index r = 0; r < g.rows; ++r)
      for (Index c = 0; c < g.cols; ++c) {
        const Index rank = g.rank(r, c);
        ranks.insert(rank);
        EXPECT_EQ(g.row_of(rank), r);
        EXPECT_EQ(g.col_of(rank), c);
        EXPECT_EQ(g.transposed().rank(c, r), rank);
      }
    EXPECT_EQ(ranks.size(), 12u);
    EXPECT_EQ(*ranks.rbegin(), 11);
  }
}

TEST(CyclicMaps, GoRoundTheGrid) {
  const Supernodes s = test::random_supernodes(10, 3, 2, 1);
  const BlockMap map = map_blocks(s, {2, 3}, Mapping::cyclic);
  EXPECT_EQ(map.owner(0, 0), 0);
  EXPECT_EQ(map.owner(1, 0), 3);  // the second row of the grid
  EXPECT_EQ(map.owner(5, 4), 4);  // row 1, column 1
  EXPECT_EQ(map.root(9), map.grid.rank(1, 0));
  EXPECT_EQ(map.transposed().owner(4, 5), map.owner(5, 4));
}

// Subtrees with a chain above them, by hand: 0 1 under 4, 2 3 under 5, then 6.
TEST(SubtreeMaps, KeepSubtreesTogether) {
  Supernodes s;
  s.n = 7;
  s.first = {0, 1, 2, 3, 4, 5, 6, 7};
  s.row = {4, 4, 5, 5, 6, 6};
  s.row_start = {0, 1, 2, 3, 4, 5, 6, 6};
  const BlockMap map = map_blocks(s, {1, 2}, Mapping::subtree);
  // All members are small beside nothing: what is cut off is cut to single ones, all placed.
  for (Index t = 0; t < 7; ++t) EXPECT_LT(map.root(t), 2);
}

TEST(SubtreeMaps, GiveRanksEqualShares) {
  for (const Index ranks : {2, 3, 4, 8}) {
    const Supernodes s = test::closed_supernodes(600, 6, 1.2, 5);
    const BlockMap map = map_blocks(s, {1, ranks}, Mapping::subtree);
    std::vector<double> load(static_cast<std::size_t>(ranks), 0);
    for (Index t = 0; t < s.count(); ++t) load[map.col[t]] += static_cast<double>(s.entries(t));
    const double even = static_cast<double>(s.entries()) / ranks;
    for (const double mine : load) EXPECT_LT(mine, 1.5 * even) << ranks;
  }
}

// A rank that has two children of one subtree's root below their first common row need not talk.
TEST(SubtreeMaps, TalkLessThanCyclicOnes) {
  const Supernodes s = test::closed_supernodes(400, 5, 1.1, 3);
  const auto messages = [&](Mapping mapping) {
    Offset all = 0;
    for (const LocalPlan& plan :
         make_local_plans(s, map_blocks(s, {1, 4}, mapping), TreeShape::binary))
      for (const Index m : count_traffic(plan, Way::forwards).sent.messages) all += m;
    return all;
  };
  EXPECT_LT(2 * messages(Mapping::subtree), messages(Mapping::cyclic));
}

}  // namespace
}  // namespace echelon
