// tests/smoother/test_symmetric_pattern.cpp -- detects matrices with a symmetric pattern.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/smoother.hpp"
#include "smoother/smoother_cases.hpp"

namespace echelon {
namespace {

bool is_symmetric(const Csr<double>& a, Sweep direction = Sweep::forward) {
  SmootherOptions o;
  o.direction = direction;
  o.solver.cpu.threads = 2;
  const SmootherReport report = SmootherAnalysis(a.pattern(), o).report();
  EXPECT_EQ(report.vectors, report.symmetric_pattern ? 1 : 2);
  return report.symmetric_pattern;
}

TEST(SymmetricPattern, IsSeenWhateverTheValues) {
  const auto a = test::picture<double>(R"( 4 1 . 2
                                           3 4 5 .
                                           . 1 4 .
                                           7 . . 4 )");
  for (const Sweep direction : {Sweep::forward, Sweep::backward, Sweep::symmetric})
    EXPECT_TRUE(is_symmetric(a, direction)) << name(direction);
}

TEST(SymmetricPattern, IsBrokenByOneEntryOnEitherSide) {
  const auto upper = test::picture<double>(R"( 4 1 . 2
                                               3 4 5 .
                                               . 1 4 .
                                               . . . 4 )");
  const auto lower = test::picture<double>(R"( 4 1 . .
                                               3 4 5 .
                                               . 1 4 .
                                               7 . . 4 )");
  for (const Sweep direction : {Sweep::forward, Sweep::backward}) {
    EXPECT_FALSE(is_symmetric(upper, direction)) << name(direction);
    EXPECT_FALSE(is_symmetric(lower, direction)) << name(direction);
  }
}

TEST(SymmetricPattern, CountsInBothTrianglesDoNotDo) {
  EXPECT_FALSE(is_symmetric(test::picture<double>(R"( 4 1 .
                                                      . 4 .
                                                      1 . 4 )")));
}

TEST(SymmetricPattern, DoesNotDependOnTheOrderInARowOrOnEntriesGivenTwice) {
  auto a = test::picture<double>(R"( 4 1 2
                                     3 4 5
                                     6 7 4 )");
  std::swap(a.index[0], a.index[2]);
  std::swap(a.index[7], a.index[6]);
  EXPECT_TRUE(is_symmetric(a));
  Csr<double> twice;  // (0,1) twice, (1,0) three times
  twice.rows = twice.cols = 2;
  twice.start = {0, 3, 7};
  twice.index = {0, 1, 1, 0, 0, 1, 0};
  twice.value.assign(7, 1);
  EXPECT_TRUE(is_symmetric(twice));
  EXPECT_TRUE(is_symmetric(twice, Sweep::backward));
}

TEST(SymmetricPattern, IsThatOfGridsAndOfNothing) {
  for (const char* spec : {"laplace2d:9x9:5", "laplace3d:5x6x7:27", "elasticity2d:5x5"})
    EXPECT_TRUE(is_symmetric(generate<double>(spec))) << spec;
  EXPECT_FALSE(is_symmetric(generate<double>("bidiagonal:9")));
  EXPECT_TRUE(is_symmetric(test::from_places<double>(0, {})));
  EXPECT_TRUE(is_symmetric(test::with_mirror(test::random_matrix<double>({.n = 300}))));
}

}  // namespace
}  // namespace echelon
