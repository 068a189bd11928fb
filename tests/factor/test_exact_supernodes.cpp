// tests/factor/test_exact_supernodes.cpp -- panels are split according to their zeros.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"
#include "factor/exact_supernodes.hpp"

namespace echelon {
namespace {

// One panel of w columns with its own rows 0 .. w-1 and then `below`; all values are 1 except where
// `zero` is true.
template <class T>
struct OnePanel {
  Panels<T> panels;
  Buffer<T> value;

  template <class Zero>
  OnePanel(Index w, std::vector<Index> below, const Zero& zero) {
    panels.first = {0, w};
    for (Index i = 0; i < w; ++i) panels.row.push_back(i);
    panels.row.insert(panels.row.end(), below.begin(), below.end());
    panels.row_start = {0, static_cast<Offset>(panels.row.size())};
    panels.value_start = {0};
    for (Index j = 0; j < w; ++j)
      for (const Index i : panels.row) value.push_back(zero(i, j) ? T(0) : T(1));
    panels.value = value;
  }
};

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> r;
  for (Index i = begin; i < end; ++i) r.push_back(i);
  return r;
}

template <class T>
class ExactSupernodesTest : public testing::Test {};
TYPED_TEST_SUITE(ExactSupernodesTest, test::Scalars);

TYPED_TEST(ExactSupernodesTest, ADensePanelStaysWhole) {
  const OnePanel<TypeParam> p(70, range(100, 300), [](Index, Index) { return false; });
  const auto [s, nonzeros] = find_exact_supernodes(p.panels);
  EXPECT_EQ(s.first, (Buffer<Index>{0, 70}));
  EXPECT_EQ(s.height(0), 200);
  EXPECT_EQ(nonzeros, 70 * 71 / 2 + 70 * 200);
  EXPECT_EQ(s.entries(0), nonzeros);
}

TYPED_TEST(ExactSupernodesTest, TwoStructuresInOnePanelAreToldApart) {
  // Columns 0 to 29 have the first half of the rows below, the others all rows.
  const OnePanel<TypeParam> p(60, range(100, 300),
                              [](Index i, Index j) { return j < 30 && i >= 200; });
  const auto [s, nonzeros] = find_exact_supernodes(p.panels);
  EXPECT_EQ(s.first, (Buffer<Index>{0, 30, 60}));
  EXPECT_EQ(s.height(0), 30 + 100);  // columns 30 to 59 are rows of the first supernode
  EXPECT_EQ(s.rows(0)[0], 30);
  EXPECT_EQ(s.height(1), 200);
  EXPECT_EQ(nonzeros, s.entries(0) + s.entries(1));
}

TYPED_TEST(ExactSupernodesTest, ColumnsThatDoNotReachTheNextArePartedFromIt) {
  const OnePanel<TypeParam> p(2, range(10, 40), [](Index i, Index j) { return j == 0 && i != 0; });
  const auto [s, nonzeros] = find_exact_supernodes(p.panels);
  EXPECT_EQ(s.first, (Buffer<Index>{0, 1, 2}));
  EXPECT_EQ(s.height(0), 0);
  EXPECT_EQ(nonzeros, 1 + 31);
}

TYPED_TEST(ExactSupernodesTest, AccidentalZerosDoNotCutALargePanel) {
  const OnePanel<TypeParam> p(200, range(300, 700),
                              [](Index i, Index j) { return (7 * i + 13 * j) % 401 == 5; });
  const auto [s, nonzeros] = find_exact_supernodes(p.panels);
  EXPECT_EQ(s.count(), 1);
  EXPECT_LT(nonzeros, s.entries(0));
}

TYPED_TEST(ExactSupernodesTest, RowsInAnyOrderComeOutSorted) {
  const OnePanel<TypeParam> p(3, {90, 20, 70, 5}, [](Index i, Index) { return i == 70; });
  const auto [s, nonzeros] = find_exact_supernodes(p.panels);
  ASSERT_EQ(s.count(), 1);
  EXPECT_EQ(s.row, (Buffer<Index>{5, 20, 90}));
  EXPECT_EQ(nonzeros, 6 + 9);
}

TYPED_TEST(ExactSupernodesTest, TheUpperHalfOfABlockIsNotRead) {
  OnePanel<TypeParam> p(8, {}, [](Index i, Index j) { return i < j; });
  EXPECT_EQ(find_exact_supernodes(p.panels).nonzeros, 36);
  for (Index j = 0; j < 8; ++j)
    for (Index i = 0; i < j; ++i) p.value[8 * j + i] = TypeParam(3);
  for (Index j = 0; j < 8; ++j) p.value[9 * j] = TypeParam(0);  // a unit diagonal
  const auto [s, nonzeros] = find_exact_supernodes(p.panels);
  EXPECT_EQ(s.count(), 1);
  EXPECT_EQ(nonzeros, 36);
}

TYPED_TEST(ExactSupernodesTest, NoPanelsAreNoSupernodes) {
  const auto [s, nonzeros] = find_exact_supernodes(Panels<TypeParam>{});
  EXPECT_EQ(s.count(), 0);
  EXPECT_EQ(nonzeros, 0);
}

// Checks that there are no more zeros than allowed, nor than in the package.  Returns their share.
double check_zeros(const Factors<double>& f) {
  const Supernodes& s = f.lower.supernodes;
  check_supernodes(s);
  Offset entries = 0, allowed = 0;
  for (Index k = 0; k < s.count(); ++k) {
    entries += s.entries(k);
    allowed += zeros_allowed(s.entries(k));
  }
  EXPECT_EQ(entries, s.entries());
  EXPECT_LE(f.lower.nonzeros, entries);
  EXPECT_LE(entries - f.lower.nonzeros, allowed);
  EXPECT_LT(entries, static_cast<Offset>(f.lower.panels.value.size()));
  return static_cast<double>(entries) / static_cast<double>(f.lower.nonzeros) - 1;
}

TEST(ExactSupernodesOfFactors, AreCloseToTheExactCount) {
  for (const char* const package : {"cholmod", "superlu"}) {
    if (!test::has_package(package) || !test::has_ordering(Ordering::metis)) continue;
    for (const char* const spec : {"elasticity3d:4", "laplace3d:14", "laplace2d:50x40:9"})
      check_zeros(factor_by_name<double>(package, generate<double>(spec)));
    // The larger the problem, the smaller the share of small supernodes.
    EXPECT_LT(check_zeros(factor_by_name<double>(package, generate<double>("elasticity3d:9"))),
              0.015);
  }
}

TEST(ExactSupernodesOfFactors, AreTheSameForEveryNumberOfThreads) {
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD in this build";
  const auto f = factor_cholmod<double>(generate<double>("laplace3d:16"));
  for (const Index threads : {1, 2, 3, 5}) {
    const auto [s, nonzeros] = find_exact_supernodes(f.lower.panels, threads);
    EXPECT_EQ(s.first, f.lower.supernodes.first);
    EXPECT_EQ(s.row_start, f.lower.supernodes.row_start);
    EXPECT_EQ(s.row, f.lower.supernodes.row);
    EXPECT_EQ(nonzeros, f.lower.nonzeros);
  }
}

}  // namespace
}  // namespace echelon
