// tests/analysis/test_dependency_graph.cpp -- dependencies, by hand and for every way of storing a
// triangle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/analysis.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::Refusal;
using Lists = std::vector<std::vector<Index>>;

Lists lists_of(const DependencyGraph& g) {
  Lists lists(static_cast<std::size_t>(g.n));
  for (Index i = 0; i < g.n; ++i) {
    const auto list = g.list(i);
    lists[i].assign(list.begin(), list.end());
    std::sort(lists[i].begin(), lists[i].end());
  }
  return lists;
}

const char* const drawing = R"( 1 . 9 .
                                2 1 . .
                                . 3 1 .
                                4 . 5 1 )";
constexpr TriangleOptions ignoring{.outside = OutsideEntries::ignore};

TEST(DependencyGraph, RowsOfALowerTriangleAreWhatTheyNeed) {
  const auto a = test::picture<double>(drawing);
  const auto g = find_dependency_graph(lower(a, ignoring), Order::rows);
  EXPECT_EQ(lists_of(g), (Lists{{}, {0}, {1}, {0, 2}}));
  EXPECT_EQ(g.nonzeros, 4);
  EXPECT_EQ(g.shape, Uplo::lower);
}

TEST(DependencyGraph, ColumnsAreWhatNeedsThem) {
  const auto a = test::picture<double>(drawing);
  const auto g = find_dependency_graph(lower(a, ignoring), Order::columns);
  EXPECT_EQ(lists_of(g), (Lists{{1, 3}, {2}, {3}, {}}));
}

TEST(DependencyGraph, TheUpperTriangleSweepsBackwards) {
  const auto a = test::picture<double>(drawing);
  const auto g = find_dependency_graph(upper(a, ignoring), Order::rows);
  EXPECT_EQ(lists_of(g), (Lists{{2}, {}, {}, {}}));
  EXPECT_EQ(g.unknown(0), 3);
}

TEST(DependencyGraph, LooksIntoTheCallersArraysWhereItCan) {
  const auto a = test::picture<double>(drawing);
  const auto in_place = find_dependency_graph(lower(a, ignoring), Order::rows);
  EXPECT_EQ(in_place.index.data(), a.index.data());
  EXPECT_TRUE(in_place.from.empty());
  const auto transposed = find_dependency_graph(lower(a, ignoring), Order::columns);
  EXPECT_EQ(transposed.index.data(), transposed.own_index.data());
}

TEST(DependencyGraph, EveryWayOfStoringGivesTheSame) {
  const auto a = test::random_matrix<double>({.n = 200, .per_row = 5, .seed = 3});
  const auto messy =
      test::random_matrix<double>({.n = 200, .per_row = 5, .sorted = false, .seed = 3});
  const auto by_columns = to_csc(CsrView<double>(a));
  for (const Order wanted : {Order::rows, Order::columns}) {
    for (const Index threads : {1, 2, 8}) {
      const auto expected = lists_of(find_dependency_graph(lower(a, ignoring), wanted, 1));
      EXPECT_EQ(lists_of(find_dependency_graph(lower(by_columns, ignoring), wanted, threads)),
                expected);
      EXPECT_EQ(lists_of(find_dependency_graph(lower(messy, ignoring), wanted, threads)),
                lists_of(find_dependency_graph(lower(messy, ignoring), wanted, 1)));
    }
  }
}

TEST(DependencyGraph, SourcesPointAtTheEntries) {
  const auto a = test::random_matrix<double>({.n = 100, .per_row = 6, .sorted = false});
  const auto g = find_dependency_graph(lower(a, ignoring), Order::columns, 3);
  for (Index j = 0; j < g.n; ++j) {
    for (Index k = 0; k < g.length[j]; ++k) {
      const Offset p = g.from[g.first[j] + k];
      EXPECT_EQ(a.index[p], j);
      const Index i = g.list(j)[k];
      EXPECT_TRUE(a.start[i] <= p && p < a.start[i + 1]);
    }
    EXPECT_EQ(a.index[g.diagonal[j]], j);
  }
}

TEST(DependencyGraph, ADiagonalGivenTwiceIsKept) {
  Csr<double> a;
  a.rows = a.cols = 1;
  a.start = {0, 3};
  a.index = {0, 0, 0};
  a.value = {1, 2, 3};
  const auto g = find_dependency_graph(lower(a), Order::rows);
  ASSERT_EQ(g.extra.size(), 2u);
  EXPECT_EQ(g.diagonal[0], 0);
  EXPECT_EQ(g.extra[0].source, 1);
  EXPECT_EQ(g.extra[1].source, 2);
}

// The code and text of the Error for a triangle.
Refusal refusal(const Triangle<double>& t) {
  return test::refusal([&] { find_dependency_graph(t, Order::rows); });
}

TEST(DependencyGraph, RefusesAnEntryAcrossTheDiagonalAndNamesIt) {
  const auto a = test::picture<double>(drawing);
  EXPECT_EQ(refusal(lower(a)),
            Refusal(ErrorCode::not_triangular,
                    "row 0 has an entry in column 2, outside the lower triangle"));
  EXPECT_EQ(refusal(upper(to_csc(CsrView<double>(a)))),
            Refusal(ErrorCode::not_triangular,
                    "row 1 has an entry in column 0, outside the upper triangle"));
}

TEST(DependencyGraph, RefusesAMissingDiagonalUnlessItIsUnit) {
  const auto a = test::picture<double>("1 .\n 1 .");
  EXPECT_EQ(refusal(lower(a)), Refusal(ErrorCode::zero_diagonal, "row 1 has no diagonal entry"));
  EXPECT_NO_THROW(find_dependency_graph(lower(a, {.diagonal = Diagonal::unit}), Order::rows));
}

TEST(DependencyGraph, RefusesWhatIsNotSquareOrOutOfRange) {
  EXPECT_EQ(refusal(lower(test::picture<double>("x . .\n x x ."))),
            Refusal(ErrorCode::bad_argument, "a triangle must be square, this matrix is 2 by 3"));
  auto a = test::picture<double>("x .\n x x");
  a.index[1] = 7;
  EXPECT_EQ(refusal(lower(a)),
            Refusal(ErrorCode::bad_argument, "row 1 has index 7, outside 0 to 1"));
}

// Row starts that point outside the arrays are found before anything is read there.
TEST(DependencyGraph, RefusesBrokenStarts) {
  auto a = test::picture<double>("x . .\n x x .\n . x x");
  a.start[1] = 1000000;
  EXPECT_EQ(refusal(lower(a)),
            Refusal(ErrorCode::bad_argument, "row 1 ends at 3, before it begins at 1000000"));
  a.start[1] = -5;
  EXPECT_EQ(refusal(lower(a)),
            Refusal(ErrorCode::bad_argument, "row 0 ends at -5, before it begins at 0"));
  a.start.pop_back();
  EXPECT_EQ(refusal(lower(a)).code, ErrorCode::bad_argument);
  a.start.clear();
  EXPECT_EQ(refusal(lower(a)).code, ErrorCode::bad_argument);
}

// The second thread begins at the broken start, which looks valid from there.
TEST(DependencyGraph, RefusesBrokenStartsBeforeAnyThreadFollowsOne) {
  const Index n = 1 << 16;
  Csr<double> a;
  a.rows = a.cols = n;
  a.start.resize(n + 1);
  a.index.resize(n);
  a.value.assign(n, 1.0);
  for (Index i = 0; i <= n; ++i) a.start[i] = i;
  for (Index i = 0; i < n; ++i) a.index[i] = i;
  a.start[n / 2] = -(Offset{1} << 34);
  for (const Index threads : {1, 2, 3})
    EXPECT_EQ(test::refusal([&] { find_dependency_graph(lower(a), Order::rows, threads); }),
              Refusal(ErrorCode::bad_argument,
                      "row 32767 ends at -17179869184, before it begins at 32767"));
}

}  // namespace
}  // namespace echelon
