// tests/supernode/test_supernode_levels.cpp -- levels of supernodes by hand, and the property that
// defines them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "supernode/patterns.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

std::vector<Index> plain(const Buffer<Index>& b) { return {b.begin(), b.end()}; }

// Supernodes {0 1} {2} {3} {4 5}; the first has rows in the third, and all have rows in the last.
TEST(SupernodeLevels, ASupernodeComesAfterAllThatReachIt) {
  const auto a = test::picture<double>(R"( x . . . . .
                                           x x . . . .
                                           . . x . . .
                                           x x . x . .
                                           . . x . x .
                                           x x x x x x )");
  const LevelSets sets =
      find_level_sets(find_supernodes(find_dependency_graph(lower(a), Order::columns)));
  EXPECT_EQ(plain(sets.order), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(plain(sets.start), (std::vector<Index>{0, 2, 3, 4}));
}

TEST(SupernodeLevels, NothingHasNoneAndADiagonalOne) {
  EXPECT_EQ(find_level_sets(Supernodes()).count(), 0);
  const auto a = test::picture<double>("x . .\n . x .\n . . x");
  EXPECT_EQ(
      find_level_sets(find_supernodes(find_dependency_graph(lower(a), Order::columns))).count(), 1);
}

TEST(SupernodeLevels, SinglesHaveTheLevelsOfTheUnknowns) {
  const auto a = test::random_matrix<double>({.n = 300, .per_row = 5, .seed = 2});
  const auto g =
      find_dependency_graph(lower(a, {.outside = OutsideEntries::ignore}), Order::columns);
  std::vector<Index> first(301);
  for (Index k = 0; k <= 300; ++k) first[k] = k;
  const LevelSets sets = find_level_sets(find_supernodes(g, first)), expected = find_level_sets(g);
  EXPECT_EQ(sets.order, expected.order);
  EXPECT_EQ(sets.start, expected.start);
}

TEST(SupernodeLevels, EachRowGoesUpByAtLeastOneAndSomeByExactlyOne) {
  const auto a = test::from_columns(test::dissected_grid(23, 17));
  const Supernodes s = find_supernodes(test::graph_of(a));
  const LevelSets sets = find_level_sets(s);
  std::vector<Index> level(s.count()), deepest(s.count(), -1);
  for (Index l = 0; l < sets.count(); ++l)
    for (const Index t : sets.rows(l)) level[t] = l;
  for (Index t = 0; t < s.count(); ++t)
    for (const Index i : s.rows(t)) {
      const auto u = std::upper_bound(s.first.begin(), s.first.end(), i) - s.first.begin() - 1;
      deepest[u] = std::max(deepest[u], level[t]);
    }
  for (Index t = 0; t < s.count(); ++t) EXPECT_EQ(level[t], deepest[t] + 1);
}

}  // namespace
}  // namespace echelon
