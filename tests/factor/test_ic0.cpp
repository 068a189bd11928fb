// tests/factor/test_ic0.cpp -- IC(0): exact on A's own entries.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;
constexpr FactorOptions natural{.order = Ordering::natural};

template <class T>
class Ic0 : public testing::Test {};
TYPED_TEST_SUITE(Ic0, test::Scalars);

TYPED_TEST(Ic0, OfATridiagonalMatrixIsCholesky) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 4 2 . .
                                      2 5 4 .
                                      . 4 5 3
                                      . . 3 13 )");
  const Factors<T> f = factor_ic0<T>(a, natural);
  EXPECT_EQ(f.lower.columns.index, (Buffer<Index>{0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(f.lower.columns.value, (Buffer<T>{T(2), T(1), T(2), T(2), T(1), T(3), T(2)}));
  EXPECT_TRUE(f.symmetric);
  EXPECT_EQ(factor_error<T>(a, f), 0);
}

TYPED_TEST(Ic0, IsExactWhereAHasEntries) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(80, 4);
  const Factors<T> f = factor_ic0<T>(a, natural);
  test::expect_well_formed(f);
  EXPECT_EQ(f.lower.columns.nonzeros(), (a.nonzeros() + 80) / 2);
  test::expect_exact_on_entries<T>(a, f);
}

TYPED_TEST(Ic0, InAnotherOrderIsThatOfTheReorderedMatrix) {
  using T = TypeParam;
  if (!test::has_ordering(Ordering::amd)) GTEST_SKIP() << "no AMD in this build";
  // An arrow: no fill in any order that keeps the full row last.
  Coo<T> arrow{30, 30, {}, {}, {}};
  for (Index i = 0; i < 30; ++i) {
    arrow.row.push_back(i);
    arrow.col.push_back(i);
    arrow.value.push_back(T(40));
    if (i == 0) continue;
    arrow.row.push_back(i);
    arrow.col.push_back(0);
    arrow.value.push_back(test::number<T>(i % 5 + 1, i % 3));
  }
  const Csr<T> half = to_csr(arrow);
  Csr<T> whole = half;
  for (Index i = 1; i < 30; ++i) {
    arrow.row.push_back(0);
    arrow.col.push_back(i);
    arrow.value.push_back(test::number<T>(i % 5 + 1, -(i % 3)));
  }
  whole = to_csr(arrow);
  const Factors<T> f = factor_ic0<T>(half, {.order = Ordering::amd});
  EXPECT_EQ(f.row_order.back(), 0);
  test::expect_well_formed(f);
  EXPECT_LT(factor_error<T>(whole, f), 4);
}

TYPED_TEST(Ic0, RefusesAPivotThatIsNotPositive) {
  using T = TypeParam;
  const auto pivot = refusal([] { factor_ic0<T>(test::picture<T>("1 2\n 2 4"), natural); });
  EXPECT_EQ(pivot.code, ErrorCode::not_positive_definite);
  EXPECT_EQ(pivot.text, "the incomplete factorization meets a pivot that is not positive in row 1");
}

TYPED_TEST(Ic0, OfOneEntryIsItsRoot) {
  EXPECT_EQ(factor_ic0<TypeParam>(test::picture<TypeParam>("4"), natural).lower.columns.value,
            (Buffer<TypeParam>{TypeParam(2)}));
}

}  // namespace
}  // namespace echelon
