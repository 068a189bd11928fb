// tests/supernode/test_find_supernodes.cpp -- supernodes by hand, against plain sets, and invalid
// partitions.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "echelon/generate.hpp"
#include "supernode/patterns.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

using test::plain;
using test::PlainSupernodes;

Supernodes found_in(const Csr<double>& a, Uplo uplo = Uplo::lower, Order lists = Order::columns) {
  return find_supernodes(find_dependency_graph(
      triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore}), lists));
}

// The definition, on sets.
PlainSupernodes fundamental(const test::Sets& columns) {
  PlainSupernodes s{{0}, {}};
  for (Index k = 0; k < static_cast<Index>(columns.size()); ++k) {
    if (k + 1 < static_cast<Index>(columns.size())) {
      std::set<Index> continued = columns[k + 1];
      continued.insert(k + 1);
      if (columns[k] == continued) continue;
    }
    s.first.push_back(k + 1);
    s.rows.push_back(columns[k]);
  }
  return s;
}

TEST(FindSupernodes, ColumnsThatContinueEachOtherAreOne) {
  const auto s = found_in(test::picture<double>(R"( x . . . . .
                                                    x x . . . .
                                                    . . x . . .
                                                    x x . x . .
                                                    . . x . x .
                                                    x x x x x x )"));
  EXPECT_EQ(plain(s), (PlainSupernodes{{0, 2, 3, 4, 6}, {{3, 5}, {4, 5}, {5}, {}}}));
  EXPECT_EQ(s.entries(), (3 + 4) + (1 + 2) + (1 + 1) + 3);
}

// Rows 3 2 1 0 are columns 0 1 2 3: {1, 3}, {3}, {}, {}.
TEST(FindSupernodes, ALowerTriangleByRowsIsSeenFromTheFarEnd) {
  const auto a = test::picture<double>(R"( x . . .
                                           . x . .
                                           x . x .
                                           x . x x )");
  EXPECT_EQ(plain(found_in(a, Uplo::lower, Order::rows)),
            (PlainSupernodes{{0, 2, 3, 4}, {{3}, {}, {}}}));
}

TEST(FindSupernodes, AnUpperTriangleByRowsIsSeenAsItIs) {
  const auto a = test::picture<double>(R"( x x . x
                                           . x . x
                                           . . x .
                                           . . . x )");
  EXPECT_EQ(plain(found_in(a, Uplo::upper, Order::rows)),
            (PlainSupernodes{{0, 2, 3, 4}, {{3}, {}, {}}}));
}

TEST(FindSupernodes, ADenseTriangleIsOneAndADiagonalIsNAndNothingIsNone) {
  EXPECT_EQ(plain(found_in(test::picture<double>("x . .\n x x .\n x x x"))),
            (PlainSupernodes{{0, 3}, {{}}}));
  EXPECT_EQ(plain(found_in(test::picture<double>("x . .\n . x .\n . . x"))),
            (PlainSupernodes{{0, 1, 2, 3}, {{}, {}, {}}}));
  EXPECT_EQ(plain(found_in(test::picture<double>("x"))), (PlainSupernodes{{0, 1}, {{}}}));
  EXPECT_EQ(plain(found_in(Csr<double>())), (PlainSupernodes{{0}, {}}));
}

// Column k of a chain has only row k+1: the last two columns form a supernode.
TEST(FindSupernodes, OnlyTheEndOfAChainOrAnArrowIsWide) {
  const auto chain = found_in(generate<double>("bidiagonal:50"));
  EXPECT_EQ(chain.count(), 49);
  EXPECT_EQ(chain.width(48), 2);
  const auto arrow = found_in(test::picture<double>(R"( x . . .
                                                        . x . .
                                                        . . x .
                                                        x x x x )"));
  EXPECT_EQ(plain(arrow), (PlainSupernodes{{0, 1, 2, 4}, {{3}, {3}, {}}}));
}

TEST(FindSupernodes, UnsortedListsAndThoseWithDuplicatesAreSets) {
  Csc<double> a;  // {4 1 2}, {2 4 2}, {4 4}, {}, {}
  a.rows = a.cols = 5;
  a.index = {4, 0, 1, 2, 2, 4, 1, 2, 4, 2, 4, 3, 4};
  a.start = {0, 4, 8, 11, 12, 13};
  a.value.assign(13, 1.0);
  EXPECT_EQ(plain(find_supernodes(test::graph_of(a))),
            (PlainSupernodes{{0, 3, 4, 5}, {{4}, {}, {}}}));
}

TEST(FindSupernodes, AnyOrientationAndOrderOfListsGivesThePlainSets) {
  for (const bool sorted : {true, false})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Index n = 1 + static_cast<Index>(seed);  // small: many columns are equal
      const auto a =
          test::random_matrix<double>({.n = n, .per_row = n, .sorted = sorted, .seed = seed});
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Order lists : {Order::rows, Order::columns}) {
          const auto g = find_dependency_graph(
              triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore}), lists);
          EXPECT_EQ(plain(find_supernodes(g)), fundamental(test::columns_of(g)));
        }
    }
}

// Both orders of each list of a factor, once with a duplicate entry.
TEST(FindSupernodes, AFactorGivesTheSameHoweverItIsListed) {
  const auto columns = test::dissected_grid(20, 15);
  const auto sorted = test::from_columns(columns);
  const auto expected = fundamental(columns);
  EXPECT_LT(expected.rows.size(), columns.size() * 3 / 4);
  auto shuffled = sorted, doubled = sorted;
  std::mt19937 random(1);
  for (Index j = 0; j < sorted.cols; ++j) {
    const auto begin = sorted.start[j], end = sorted.start[j + 1];
    std::shuffle(shuffled.index.begin() + begin, shuffled.index.begin() + end, random);
    if (j % 3 == 0 && end - begin > 2) doubled.index[begin + 1] = doubled.index[begin + 2];
  }
  EXPECT_EQ(plain(find_supernodes(test::graph_of(sorted))), expected);
  EXPECT_EQ(plain(find_supernodes(test::graph_of(shuffled))), expected);
  const auto g = test::graph_of(doubled);
  EXPECT_EQ(plain(find_supernodes(g)), fundamental(test::columns_of(g)));
}

TEST(FindSupernodes, AGivenPartitionGetsTheUnionOfItsRows) {
  const auto a = test::picture<double>(R"( x . . . . .
                                           . x . . . .
                                           x . x . . .
                                           . x . x . .
                                           . x . . x .
                                           x . . x . x )");
  const auto g = find_dependency_graph(lower(a), Order::columns);
  EXPECT_EQ(plain(find_supernodes(g, std::vector<Index>{0, 2, 3, 6})),
            (PlainSupernodes{{0, 2, 3, 6}, {{2, 3, 4, 5}, {}, {}}}));
  EXPECT_EQ(plain(find_supernodes(g, std::vector<Index>{0, 6})), (PlainSupernodes{{0, 6}, {{}}}));
}

TEST(FindSupernodes, AGivenPartitionCoversWhatItMustAndNoMore) {
  for (const bool sorted : {true, false}) {
    const auto a =
        test::random_matrix<double>({.n = 200, .per_row = 6, .sorted = sorted, .seed = 3});
    for (const Order lists : {Order::rows, Order::columns}) {
      const auto g = find_dependency_graph(lower(a, {.outside = OutsideEntries::ignore}), lists);
      const auto columns = test::columns_of(g);
      const std::vector<Index> first{0, 1, 7, 30, 31, 64, 150, 199, 200};
      PlainSupernodes expected{first, {}};
      for (std::size_t t = 0; t + 1 < first.size(); ++t) {
        std::set<Index> rows;
        for (Index j = first[t]; j < first[t + 1]; ++j)
          rows.insert(columns[j].lower_bound(first[t + 1]), columns[j].end());
        expected.rows.push_back(rows);
      }
      const Supernodes s = find_supernodes(g, first);
      check_supernodes(s);
      EXPECT_EQ(plain(s), expected);
      EXPECT_EQ(test::count_uncovered(columns, s), 0);
    }
  }
}

TEST(FindSupernodes, TheFundamentalPartitionGivenGivesTheSame) {
  const auto a = test::from_columns(test::dissected_grid(31, 17));
  const auto g = test::graph_of(a);
  const Supernodes s = find_supernodes(g);
  EXPECT_EQ(plain(find_supernodes(g, s.first)), plain(s));
}

TEST(FindSupernodes, AnyNumberOfThreadsGivesTheSame) {
  const auto a = test::from_columns(test::dissected_grid(150, 150));
  const auto b = test::random_matrix<double>({.n = 60000, .per_row = 9, .bandwidth = 20});
  for (const DependencyGraph& g :
       {test::graph_of(a),
        find_dependency_graph(lower(b, {.outside = OutsideEntries::ignore}), Order::rows)}) {
    ASSERT_GT(g.nonzeros, 4 << 16);
    const Supernodes one = find_supernodes(g, 1);
    const auto pieces = test::cut_supernodes(one, 3);
    const Supernodes one_cut = find_supernodes(g, pieces, 1);
    for (const Index threads : {2, 3, 8}) {
      EXPECT_EQ(find_supernodes(g, threads).first, one.first);
      EXPECT_EQ(find_supernodes(g, threads).row, one.row);
      EXPECT_EQ(find_supernodes(g, pieces, threads).row_start, one_cut.row_start);
      EXPECT_EQ(find_supernodes(g, pieces, threads).row, one_cut.row);
    }
  }
}

TEST(FindSupernodes, APartitionThatIsNoneIsRefused) {
  const auto a = test::picture<double>("x . .\n x x .\n . x x");
  const auto g = find_dependency_graph(lower(a), Order::columns);
  const auto text_for = [&](std::vector<Index> first) -> std::string {
    try {
      find_supernodes(g, first);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_argument);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(text_for({0, 1, 3}), "");
  EXPECT_NE(text_for({}).find("end with 3"), std::string::npos);
  EXPECT_NE(text_for({1, 3}).find("begin with 0"), std::string::npos);
  EXPECT_NE(text_for({0, 2}).find("end with 3"), std::string::npos);
  EXPECT_NE(text_for({0, 2, 2, 3}).find("supernode 1 runs from 2 to 2"), std::string::npos);
  EXPECT_NE(text_for({0, 5, 3}).find("supernode 1 runs from 5 to 3"), std::string::npos);
}

}  // namespace
}  // namespace echelon
