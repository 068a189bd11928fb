// tests/dist/test_distribute_factors.cpp -- local factors prepared for ranks: their blocks and
// their values.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "dist/patterns.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

Factors<double> triangles_of(const char* recipe) {
  const auto a = generate<double>(recipe);
  return factors_of(lower(a, {.outside = OutsideEntries::ignore}),
                    upper(a, {.outside = OutsideEntries::ignore}));
}

TEST(SharingOut, LeavesTheBlocksOfAChainAsTheyAre) {
  const RankFactors<double> f = distribute_factors(triangles_of("bidiagonal:50"), 1);
  EXPECT_EQ(f.lower.count(), 50);
  for (Index t = 0; t < 49; ++t) {
    ASSERT_EQ(f.lower.height(t), 1);
    EXPECT_EQ(f.lower.rows(t)[0], t + 1);
  }
  EXPECT_EQ(f.upper.entries(), 50);
}

TEST(SharingOut, CutsADenseTriangleIntoColumns) {
  const RankFactors<double> f = distribute_factors(triangles_of("dense:20"), 3);
  EXPECT_EQ(f.lower.first, (Buffer<Index>{0, 3, 6, 9, 12, 15, 18, 20}));
  EXPECT_EQ(f.lower.entries(), 20 * 21 / 2);
  EXPECT_EQ(f.upper.first, f.lower.first);
}

// Every row, requested alone and with all others, equals that of the triangle.
TEST(SharingOut, GivesTheRowsThatAreAskedFor) {
  const auto a = generate<double>("laplace2d:9x8:9");
  const Factors<double> whole = factors_of(lower(a, {.outside = OutsideEntries::ignore}),
                                           upper(a, {.outside = OutsideEntries::ignore}));
  const RankFactors<double> f = distribute_factors(whole, 40);
  std::vector<std::vector<double>> dense(static_cast<std::size_t>(a.rows),
                                         std::vector<double>(static_cast<std::size_t>(a.rows)));
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) dense[i][a.index[p]] += a.value[p];
  for (const bool of_lower : {true, false}) {
    const Supernodes& s = of_lower ? f.lower : f.upper;
    for (Index t = 0; t < s.count(); ++t) {
      std::vector<Index> rows(s.rows(t).begin(), s.rows(t).end());
      for (Index i = s.first[t + 1]; i-- > s.first[t];) rows.insert(rows.begin(), i);
      std::vector<double> columns(rows.size() * s.width(t));
      const auto ld = static_cast<Offset>(rows.size());
      (of_lower ? f.lower_rows : f.upper_rows)(t, rows, columns.data(), ld);
      for (Index j = 0; j < s.width(t); ++j)
        for (std::size_t k = 0; k < rows.size(); ++k) {
          const Index column = s.first[t] + j;
          if (rows[k] < column) continue;
          const double expected = of_lower ? dense[rows[k]][column] : dense[column][rows[k]];
          ASSERT_EQ(columns[j * ld + static_cast<Offset>(k)], expected);
          double one = 0;
          std::vector<double> row(static_cast<std::size_t>(s.width(t)));
          (of_lower ? f.lower_rows : f.upper_rows)(t, std::span(&rows[k], 1), row.data(), 1);
          one = row[static_cast<std::size_t>(j)];
          ASSERT_EQ(one, expected);
        }
    }
  }
}

}  // namespace
}  // namespace echelon
