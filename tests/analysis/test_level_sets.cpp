// tests/analysis/test_level_sets.cpp -- levels by hand, and the property that defines them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/analysis.hpp"
#include "echelon/generate.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

LevelSets levels_of(const Csr<double>& a, Uplo uplo = Uplo::lower, Order lists = Order::rows) {
  const auto t = triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore});
  return find_level_sets(find_dependency_graph(t, lists));
}

std::vector<Index> plain(const Buffer<Index>& b) { return {b.begin(), b.end()}; }

TEST(LevelSets, TwoChainsThatMeet) {
  const LevelSets sets = levels_of(test::picture<double>(R"( x . . . .
                                                             . x . . .
                                                             x . x . .
                                                             . . x x .
                                                             . x . x x )"));
  EXPECT_EQ(plain(sets.order), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_EQ(plain(sets.start), (std::vector<Index>{0, 2, 3, 4, 5}));
}

TEST(LevelSets, AChainHasOneRowPerLevel) {
  const LevelSets sets = levels_of(generate<double>("bidiagonal:50"));
  EXPECT_EQ(sets.count(), 50);
}

TEST(LevelSets, ADiagonalHasOneLevelAndNothingHasNone) {
  EXPECT_EQ(levels_of(test::picture<double>("x . .\n . x .\n . . x")).count(), 1);
  EXPECT_EQ(levels_of(Csr<double>()).count(), 0);
}

TEST(LevelSets, AnUpperTriangleIsLevelledFromBelow) {
  const LevelSets sets = levels_of(test::picture<double>(R"( x x .
                                                             . x .
                                                             . . x )"),
                                   Uplo::upper);
  EXPECT_EQ(plain(sets.order), (std::vector<Index>{2, 1, 0}));
  EXPECT_EQ(plain(sets.start), (std::vector<Index>{0, 2, 3}));
}

TEST(LevelSets, EachEntryGoesUpByAtLeastOneAndSomeByExactlyOne) {
  const auto a = test::random_matrix<double>({.n = 500, .per_row = 6, .seed = 5});
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const LevelSets sets = levels_of(a, uplo);
    const auto g = find_dependency_graph(
        triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore}), Order::rows);
    std::vector<Index> level(500);
    for (Index l = 0; l < sets.count(); ++l)
      for (const Index i : sets.rows(l)) level[i] = l;
    for (Index i = 0; i < g.n; ++i) {
      Index deepest = -1;
      for (const Index j : g.list(i)) deepest = std::max(deepest, level[j]);
      EXPECT_EQ(level[i], deepest + 1);
    }
  }
}

TEST(LevelSets, RowsAndColumnsAndAnyNumberOfThreadsAgree) {
  const auto a = generate<double>("laplace2d:400x500:9");
  const auto g = find_dependency_graph(lower(a, {.outside = OutsideEntries::ignore}), Order::rows);
  const LevelSets one = find_level_sets(g, 1);
  for (const LevelSets& other :
       {find_level_sets(g, 3), levels_of(a, Uplo::lower, Order::columns)}) {
    EXPECT_EQ(other.order, one.order);
    EXPECT_EQ(other.start, one.start);
  }
}

// nx + ny + nz - 2 levels for stencils along the axes; the diagonal neighbours of 9 and 27 points
// delay a line by two more of the line before, and a plane by two more lines.
TEST(LevelSets, GridsHaveTheLevelsOfThePapers) {
  EXPECT_EQ(levels_of(generate<double>("laplace2d:48x48:5")).count(), 48 + 48 - 1);
  EXPECT_EQ(levels_of(generate<double>("laplace3d:12x13x14:7")).count(), 12 + 13 + 14 - 2);
  EXPECT_EQ(levels_of(generate<double>("laplace2d:48x48:9")).count(), 48 + 2 * 47);
  EXPECT_EQ(levels_of(generate<double>("laplace3d:12x12x12:27")).count(), 12 + 2 * 11 + 4 * 11);
  EXPECT_EQ(levels_of(generate<double>("elasticity3d:9")).count(), 3 * (10 + 2 * 9 + 4 * 9));
  EXPECT_EQ(levels_of(generate<double>("elasticity2d:20x20")).count(), 2 * (20 + 19));
}

}  // namespace
}  // namespace echelon
