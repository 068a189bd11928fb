// tests/factor/test_umfpack.cpp -- UMFPACK's factors multiply out to the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

constexpr std::array umfpack_orders{Ordering::automatic, Ordering::metis, Ordering::amd,
                                    Ordering::natural};

template <class T>
class UmfpackFactors : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_package("umfpack")) GTEST_SKIP() << "no UMFPACK here";
  }
};
TYPED_TEST_SUITE(UmfpackFactors, test::Scalars);

TYPED_TEST(UmfpackFactors, MultiplyOutToTheMatrixInEveryOrdering) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 33, 120}) {
    const Csr<T> a = test::random_matrix<T>({.n = n, .per_row = std::min<Index>(n - 1, 4)});
    for (const Ordering order : umfpack_orders) {
      const Factors<T> f = factor_umfpack<T>(a, {.order = order});
      EXPECT_LT(factor_error<T>(a, f), 4) << n << ' ' << name(order);
      test::expect_well_formed(f);
      EXPECT_EQ(f.package, "umfpack");
      EXPECT_EQ(f.kind, "LU");
      EXPECT_TRUE(f.lower.unit_diagonal && !f.upper.unit_diagonal);
    }
  }
}

TYPED_TEST(UmfpackFactors, AreTheSameOfRowsAndOfColumns) {
  using T = TypeParam;
  const Csr<T> rows = test::random_matrix<T>({.n = 60, .per_row = 5, .sorted = false});
  const Csc<T> columns = to_csc(CsrView<T>(rows));
  EXPECT_LT(factor_error<T>(rows, factor_umfpack(rows)), 4);
  EXPECT_LT(factor_error<T>(rows, factor_umfpack(columns)), 4);
}

TYPED_TEST(UmfpackFactors, PivotASmallDiagonalAway) {
  using T = TypeParam;
  const Csr<T> a = test::random_to_pivot<T>(100, 5);
  for (const double threshold : {0.1, 1.0}) {
    const Factors<T> f =
        factor_umfpack<T>(a, {.pivot_threshold = threshold, .symmetric_mode = false});
    EXPECT_LT(factor_error<T>(a, f), 4) << threshold;
    EXPECT_NE(f.row_order, f.col_order);
  }
}

TYPED_TEST(UmfpackFactors, AreScaledWhereRowsAreBadlyScaled) {
  using T = TypeParam;
  Csr<T> a = test::random_matrix<T>({.n = 50});
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      a.value[p] *= T(std::ldexp(1.0, i % 20) * std::ldexp(1.0, -(a.index[p] % 13)));
  EXPECT_LT(factor_error<T>(a, factor_umfpack<T>(a)), 4);
  const Factors<T> plain = factor_umfpack<T>(a, {.scale = false});
  EXPECT_LT(factor_error<T>(a, plain), 4);
  for (const Real<T> scale : plain.row_scale) EXPECT_EQ(scale, 1);
}

TYPED_TEST(UmfpackFactors, OfAnEmptyMatrixAreEmpty) {
  using T = TypeParam;
  for (const Ordering order : umfpack_orders)
    EXPECT_EQ(factor_umfpack<T>(Csr<T>{}, {.order = order}).n, 0);
}

TYPED_TEST(UmfpackFactors, OfASingularMatrixAreRefusedWithAColumn) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 4 . . 1
                                      . 2 2 .
                                      . 1 1 .
                                      1 . . 4 )");
  for (const Ordering order : umfpack_orders) {
    const auto [code, text] = refusal([&] { factor_umfpack<T>(a, {.order = order}); });
    EXPECT_EQ(code, ErrorCode::singular);
    EXPECT_TRUE(text == "the matrix is singular: column 1 has no nonzero pivot" ||
                text == "the matrix is singular: column 2 has no nonzero pivot")
        << text;
  }
  const auto by_pattern = test::picture<T>("x x x\n x . .\n x . .");
  EXPECT_EQ(refusal([&] { factor_umfpack<T>(by_pattern); }).text,
            "the matrix is singular: column 2 cannot have a pivot, because of the pattern alone");
}

TYPED_TEST(UmfpackFactors, OfAMatrixThatIsNotSquareAreRefused) {
  using T = TypeParam;
  const auto a = test::picture<T>("1 2 3\n 2 1 3");
  EXPECT_EQ(refusal([&] { factor_umfpack<T>(a); }).code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace echelon
