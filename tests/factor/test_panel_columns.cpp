// tests/factor/test_panel_columns.cpp -- panels read as columns.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/factor.hpp"

namespace echelon {
namespace {

// Panels; rows below the diagonal block in any order, and stored zeros:
//
//   2
//   3 4
//   . .  7
//   5 .  8 9
//   . 6  . 1
struct ThreePanels {
  Panels<double> panels;
  Buffer<double> value{2, 3, 0, 5, 99, 4, 6, 0, 7, 8, 0, 99, 9, 1};

  ThreePanels() {
    panels.first = {0, 2, 4};
    panels.row_start = {0, 4, 7};
    panels.row = {0, 1, 4, 3, 2, 3, 4};
    panels.value_start = {0, 8};
    panels.value = value;
  }
  // The last unknown has a panel of its own.
  void close() {
    panels.first.push_back(5);
    panels.row_start.push_back(8);
    panels.row.push_back(4);
    panels.value_start.push_back(14);
    value.push_back(3);
    panels.value = value;
  }
};

TEST(PanelColumns, AreSortedAndWithoutZeros) {
  ThreePanels p;
  p.close();
  for (const Index threads : {1, 2}) {
    const Csc<double> a = columns_of(p.panels, threads);
    EXPECT_EQ(a.start, (Buffer<Offset>{0, 3, 5, 7, 9, 10}));
    EXPECT_EQ(a.index, (Buffer<Index>{0, 1, 3, 1, 4, 2, 3, 3, 4, 4}));
    EXPECT_EQ(a.value, (Buffer<double>{2, 3, 5, 4, 6, 7, 8, 9, 1, 3}));
  }
}

TEST(PanelColumns, LeaveOutAUnitDiagonal) {
  ThreePanels p;
  p.close();
  p.panels.unit_diagonal = true;
  const Csc<double> a = columns_of(p.panels, 1);
  EXPECT_EQ(a.start, (Buffer<Offset>{0, 2, 3, 4, 5, 5}));
  EXPECT_EQ(a.value, (Buffer<double>{3, 5, 6, 8, 1}));
}

TEST(PanelColumns, TakeNewValuesOfTheSamePattern) {
  ThreePanels p;
  p.close();
  Csc<double> a = columns_of(p.panels, 1);
  p.value[3] = 0;   // (3, 0) is zero now
  p.value[9] = -8;  // (3, 2)
  take_values(p.panels, a, 2);
  EXPECT_EQ(a.value, (Buffer<double>{2, 3, 0, 4, 6, 7, -8, 9, 1, 3}));
}

TEST(PanelColumns, RefuseAnEntryThatWasZero) {
  ThreePanels p;
  p.close();
  Csc<double> a = columns_of(p.panels, 1);
  p.value[2] = 1;  // (4, 0)
  const auto [code, text] = test::refusal([&] { take_values(p.panels, a, 1); });
  EXPECT_EQ(code, ErrorCode::bad_argument);
  EXPECT_EQ(text,
            "the factor has a new entry in row 4, column 0: its pattern is not the one that was "
            "analyzed");
}

template <class T>
class FactorColumns : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FactorColumns, Scalars);

// Those of supernodes have the same entries, and zeros where a supernode has.
TYPED_TEST(FactorColumns, OfSupernodesHaveTheirZerosToo) {
  using T = TypeParam;
  if (!test::has_package("superlu")) GTEST_SKIP() << "built without SuperLU";
  const Factors<T> f = factor_superlu<T>(test::random_hermitian<T>(150, 3));
  for (const FactorTriangle<T>* t : {&f.lower, &f.upper}) {
    if (!t->in_panels()) continue;
    const Csc<T> all = columns_of(*t, 2), some = columns_of(t->panels, 2);
    EXPECT_EQ(all.start.back() + (t->panels.unit_diagonal ? f.n : 0), t->supernodes.entries());
    for (Index j = 0; j < f.n; ++j) {
      Offset p = some.start[j];
      for (Offset q = all.start[j]; q < all.start[j + 1]; ++q) {
        ASSERT_TRUE(q == all.start[j] || all.index[q - 1] < all.index[q]);
        const bool there = p < some.start[j + 1] && some.index[p] == all.index[q];
        EXPECT_EQ(all.value[q], there ? some.value[p] : T(0));
        if (there) ++p;
      }
      EXPECT_EQ(p, some.start[j + 1]) << "no entry is left out";
    }
  }
}

// Panels of a real package: the same matrix, entry by entry.
TYPED_TEST(FactorColumns, AreThoseOfThePanels) {
  using T = TypeParam;
  if (!test::has_package("superlu")) GTEST_SKIP() << "built without SuperLU";
  const Factors<T> f = factor_superlu<T>(test::random_hermitian<T>(150, 3));
  const Panels<T>& panels = f.lower.panels;
  const Csc<T> a = columns_of(panels, 2);
  EXPECT_EQ(a.start.back() + (panels.unit_diagonal ? f.n : 0), f.lower.nonzeros);
  std::vector<T> dense(static_cast<std::size_t>(f.n) * f.n, T(0));
  for (Index s = 0; s < panels.count(); ++s)
    for (Index j = panels.first[s]; j < panels.first[s + 1]; ++j)
      for (Index k = j - panels.first[s]; k < panels.rows(s); ++k)
        dense[panels.row[panels.row_start[s] + k] + Offset{j} * f.n] =
            panels.value[panels.value_start[s] + Offset{j - panels.first[s]} * panels.rows(s) + k];
  for (Index j = 0; j < f.n; ++j) {
    if (panels.unit_diagonal) dense[j + Offset{j} * f.n] = T(0);
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p) {
      T& entry = dense[a.index[p] + Offset{j} * f.n];
      EXPECT_EQ(a.value[p], entry);
      entry = T(0);
    }
  }
  EXPECT_EQ(std::count(dense.begin(), dense.end(), T(0)), Offset{f.n} * f.n);
}

}  // namespace
}  // namespace echelon
