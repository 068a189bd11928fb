// tests/dist/test_block_map.cpp -- process grids, and the owner of each block.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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

// By hand: 1 above 0, 3 above 2, and 4 above both.  No subtree is small compared with half of all,
// so all are mapped by balance; cyclically, 0 and 2, the first level, would be on one rank.
TEST(BalancedMaps, GiveEachLevelToAllRanks) {
  Supernodes s;
  s.n = 5;
  s.first = {0, 1, 2, 3, 4, 5};
  s.row = {1, 4, 4, 3, 4, 4};
  s.row_start = {0, 2, 3, 5, 6, 6};
  const BlockMap columns = map_blocks(s, {1, 2}, Mapping::balanced);
  EXPECT_NE(columns.root(0), columns.root(2));
  EXPECT_NE(columns.root(1), columns.root(3));
  // Row 4 has a block in each column; the other rows of both levels together have as many.
  const BlockMap rows = map_blocks(s, {2, 1}, Mapping::balanced);
  EXPECT_NE(rows.root(4), rows.root(1));
  EXPECT_NE(rows.root(4), rows.root(3));
}

// Each part of a dense triangle is alone on its level.
TEST(BalancedMaps, GoRoundWhereLevelsHaveOneMember) {
  Supernodes s;
  s.n = 12;
  for (Index t = 0; t < 12; ++t) {
    s.first.push_back(t + 1);
    for (Index i = t + 1; i < 12; ++i) s.row.push_back(i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  const BlockMap map = map_blocks(s, {1, 3}, Mapping::balanced);
  for (Index t = 3; t < 12; ++t) {
    EXPECT_EQ(map.root(t), map.root(t - 3));
    EXPECT_NE(map.root(t), map.root(t - 1));
    EXPECT_NE(map.root(t), map.root(t - 2));
  }
}

// The sum over levels of the work of the rank with most.
double level_by_level(const Supernodes& s, const BlockMap& map, Way way) {
  const BlockList blocks = find_blocks(s);
  const std::vector<Index> level = supernode_levels(blocks, way);
  std::map<Index, std::map<Index, double>> work;  // by level and rank
  for (Index t = 0; t < s.count(); ++t) {
    work[level[t]][map.root(t)] += 0.5 * s.width(t) * (s.width(t) + 1);
    for (const BlockList::Block& b : blocks.column(t))
      work[level[t]][map.owner(b.row, t)] += static_cast<double>(b.rows()) * s.width(t);
  }
  double sum = 0;
  for (const auto& [at, ranks] : work) {
    double most = 0;
    for (const auto& [rank, mine] : ranks) most = std::max(most, mine);
    sum += most;
  }
  return sum;
}
TEST(BalancedMaps, WaitLess) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Supernodes s = test::closed_supernodes(400, 8, 1.2, seed);
    for (const ProcessGrid grid : {ProcessGrid{1, 4}, {4, 1}, {2, 2}, {4, 4}})
      for (const Way way : {Way::forwards, Way::backwards})
        for (const Mapping other : {Mapping::cyclic, Mapping::subtree})
          EXPECT_LT(level_by_level(s, map_blocks(s, grid, Mapping::balanced), way),
                    level_by_level(s, map_blocks(s, grid, other), way))
              << seed << ' ' << grid.rows << 'x' << grid.cols;
  }
}

// By hand: forty columns, each with its own parent, and the last column above all parents.
TEST(SubtreeMaps, KeepSubtreesTogether) {
  constexpr Index pairs = 40, last = 2 * pairs;
  Supernodes s;
  s.n = last + 1;
  for (Index t = 0; t <= last; ++t) {
    s.first.push_back(t + 1);
    if (t % 2 == 0 && t < last) s.row.push_back(t + 1);
    if (t < last) s.row.push_back(last);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  for (const Mapping mapping : {Mapping::subtree, Mapping::balanced})
    for (const ProcessGrid grid : {ProcessGrid{1, 2}, {2, 1}, {2, 2}}) {
      const BlockMap map = map_blocks(s, grid, mapping);
      for (Index t = 0; t < last; t += 2) EXPECT_EQ(map.root(t), map.root(t + 1)) << t;
    }
}

TEST(SubtreeMaps, GiveRanksEqualShares) {
  for (const Index ranks : {2, 3, 4, 8}) {
    const Supernodes s = test::closed_supernodes(600, 6, 1.2, 5);
    for (const Mapping mapping : {Mapping::subtree, Mapping::balanced}) {
      const BlockMap map = map_blocks(s, {1, ranks}, mapping);
      std::vector<double> load(static_cast<std::size_t>(ranks), 0);
      for (Index t = 0; t < s.count(); ++t) load[map.col[t]] += static_cast<double>(s.entries(t));
      const double even = static_cast<double>(s.entries()) / ranks;
      for (const double mine : load) EXPECT_LT(mine, 1.5 * even) << ranks << ' ' << name(mapping);
    }
  }
}

// A rank that owns two children of a subtree's root needs no messages below their common row.
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
