// tests/factor/test_structural_rank.cpp -- structurally singular patterns.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "dense_factors.hpp"
#include "factor/structural_rank.hpp"

namespace echelon {
namespace {

Index without_pivot(const char* text) {
  return find_column_without_pivot(to_csc<double>(test::picture<double>(text)).pattern());
}

TEST(StructuralRank, AFullDiagonalServesAll) { EXPECT_EQ(without_pivot("x x\n x x"), -1); }

TEST(StructuralRank, APermutationServesAll) {
  EXPECT_EQ(without_pivot(". x .\n . . x\n x . ."), -1);
}

TEST(StructuralRank, ColumnsMakeRoomForOthers) {
  // Column 3 only has row 0; so column 0 must move to row 1, and column 1 to row 3.
  EXPECT_EQ(without_pivot(R"( x . . x
                              x x . .
                              . . x .
                              . x . . )"),
            -1);
}

TEST(StructuralRank, AnEmptyColumnHasNoPivot) { EXPECT_EQ(without_pivot("x .\n x ."), 1); }

TEST(StructuralRank, ThreeColumnsCannotShareTwoRows) {
  const Index j = without_pivot(R"( x x x .
                                    x x x .
                                    . . . x
                                    . . . x )");
  EXPECT_TRUE(j >= 0 && j <= 2) << j;
}

TEST(StructuralRank, NothingLacksNothing) {
  EXPECT_EQ(find_column_without_pivot(Csc<double>{}.pattern()), -1);
}

// A random permutation hidden among other entries, and the same with one row removed.
TEST(StructuralRank, AHiddenPermutationIsFound) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    const Index n = 40;
    std::vector<Index> image(n);
    std::iota(image.begin(), image.end(), 0);
    std::shuffle(image.begin(), image.end(), random);
    Coo<double> a{n, n, {}, {}, {}};
    const auto add = [&](Index i, Index j) {
      a.row.push_back(i);
      a.col.push_back(j);
      a.value.push_back(1);
    };
    for (Index j = 0; j < n; ++j) {
      add(image[j], j);
      add(image[random() % (j + 1)], j);  // rows of earlier columns only: one matching exists
    }
    EXPECT_EQ(find_column_without_pivot(to_csc<double>(to_csr(a)).pattern()), -1);
    for (Index& i : a.row)
      if (i == image[7]) i = image[3];
    EXPECT_GE(find_column_without_pivot(to_csc<double>(to_csr(a)).pattern()), 0);
  }
}

TEST(MatchedRows, AreTheFirstFreeOnesOrGivenBack) {
  const auto a = to_csc<double>(test::picture<double>(R"( x x .
                                                          . x .
                                                          x . . )"));
  EXPECT_EQ(match_rows(a.pattern()), (std::vector<Index>{0, 1, -1}));
  const auto given_back = to_csc<double>(test::picture<double>("x x\n x ."));
  EXPECT_EQ(match_rows(given_back.pattern()), (std::vector<Index>{1, 0}));
}

}  // namespace
}  // namespace echelon
