// tests/factor/test_ilu0.cpp -- ILU(0): exact on A's own entries.
// SPDX-License-Identifier: BSD-3-Clause
#include <set>

#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;
constexpr FactorOptions natural{.order = Ordering::natural};

template <class T>
class Ilu0 : public testing::Test {};
TYPED_TEST_SUITE(Ilu0, test::Scalars);

TYPED_TEST(Ilu0, OfATridiagonalMatrixIsLu) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 2 4 . .
                                      1 4 2 .
                                      . 4 8 1
                                      . . 8 5 )");
  const Factors<T> f = factor_ilu0<T>(a, natural);
  EXPECT_EQ(f.lower.columns.value, (Buffer<T>{T(0.5), T(2), T(2)}));
  EXPECT_EQ(f.upper.columns.value, (Buffer<T>{T(2), T(4), T(2), T(2), T(4), T(1), T(3)}));
  EXPECT_TRUE(f.lower.unit_diagonal);
  EXPECT_TRUE(f.row_order.empty());
  EXPECT_EQ(f.ordering, "natural");
  EXPECT_EQ(factor_error<T>(a, f), 0);
}

TYPED_TEST(Ilu0, IsExactWhereAHasEntries) {
  using T = TypeParam;
  const Csr<T> a = test::random_matrix<T>({.n = 80, .sorted = false});
  const Factors<T> f = factor_ilu0<T>(a, natural);
  test::expect_well_formed(f);
  std::set<std::pair<Index, Index>> places;  // entries of A, duplicates once
  for (Index i = 0; i < a.rows; ++i)
    for (const Index j : a.pattern().list(i)) places.insert({i, j});
  EXPECT_EQ(f.lower.columns.nonzeros() + f.upper.columns.nonzeros(),
            static_cast<Offset>(places.size()));
  test::expect_exact_on_entries<T>(a, f);
}

TYPED_TEST(Ilu0, CanBeReorderedFirst) {
  using T = TypeParam;
  const Csr<T> a = generate<T>("laplace2d:40x1");  // tridiagonal: no fill in any order of a tree
  for (const Ordering order : {Ordering::metis, Ordering::amd}) {
    if (!test::has_ordering(order)) GTEST_SKIP() << "no such ordering in this build";
    const Factors<T> f = factor_ilu0<T>(a, {.order = order});
    test::expect_well_formed(f);
    EXPECT_EQ(f.row_order, f.col_order);
    EXPECT_EQ(f.row_order.size(), 40u);
    EXPECT_EQ(f.ordering, name(order));
  }
}

TYPED_TEST(Ilu0, RefusesAPivotThatIsZero) {
  using T = TypeParam;
  const auto zero = refusal([] { factor_ilu0<T>(test::picture<T>("1 2\n 2 4"), natural); });
  EXPECT_EQ(zero.code, ErrorCode::zero_diagonal);
  EXPECT_EQ(zero.text, "row 1 has a pivot that is zero");
}

TYPED_TEST(Ilu0, OfOneEntryIsItself) {
  EXPECT_EQ(factor_ilu0<TypeParam>(test::picture<TypeParam>("4"), natural).upper.columns.value,
            (Buffer<TypeParam>{TypeParam(4)}));
}

}  // namespace
}  // namespace echelon
