// tests/factor/test_superlu.cpp -- SuperLU's factors multiply out to the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

template <class T>
class Superlu : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_package("superlu") || !test::has_ordering(Ordering::metis))
      GTEST_SKIP() << "no SuperLU or no METIS in this build";
  }
};
TYPED_TEST_SUITE(Superlu, test::Scalars);

constexpr std::array orderings{Ordering::metis, Ordering::amd, Ordering::natural};

TYPED_TEST(Superlu, FactorsMultiplyOutToTheMatrixInEveryOrdering) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 33, 120}) {
    const Csr<T> a = test::random_matrix<T>({.n = n, .per_row = std::min<Index>(n - 1, 4)});
    for (const Ordering order : orderings) {
      const Factors<T> f = factor_superlu<T>(a, {.order = order});
      EXPECT_LT(factor_error<T>(a, f), 4) << n << ' ' << name(order);
      test::expect_well_formed(f);
      EXPECT_EQ(f.kind, "LU");
      EXPECT_TRUE(f.lower.panels.unit_diagonal);
    }
  }
}

TYPED_TEST(Superlu, ASmallDiagonalIsPivotedAway) {
  using T = TypeParam;
  const Csr<T> a = test::random_to_pivot<T>(100, 5);
  for (const Ordering order : orderings) {
    const Factors<T> f = factor_superlu<T>(a, {.order = order});
    EXPECT_LT(factor_error<T>(a, f), 4) << name(order);
    EXPECT_NE(f.row_order, f.col_order);
    double largest = 0;  // no multiplier exceeds 1; SuperLU uses |re| + |im| for |z|
    for (const auto v : test::dense(f.lower, f.n).value) largest = std::max(largest, std::abs(v));
    EXPECT_LE(largest, (is_complex<T> ? std::sqrt(2.0) : 1) + 1e-5);
  }
}

TYPED_TEST(Superlu, TheDiagonalIsKeptWhereThePatternIsSymmetric) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(120, 4);
  for (const Ordering order : orderings) {
    const Factors<T> f = factor_superlu<T>(a, {.order = order});
    EXPECT_LT(factor_error<T>(a, f), 4) << name(order);
    test::expect_well_formed(f);
    EXPECT_EQ(f.row_order, f.col_order);
    EXPECT_EQ(f.ordering, order == Ordering::amd ? "mmd" : name(order));
  }
  EXPECT_EQ(factor_superlu<T>(a, {.order = Ordering::amd, .symmetric_mode = false}).ordering,
            "colamd");
}

TYPED_TEST(Superlu, BadlyScaledRowsAndColumnsAreScaled) {
  using T = TypeParam;
  Csr<T> a = test::random_matrix<T>({.n = 50});
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      a.value[p] *= T(std::ldexp(1.0, i % 20) * std::ldexp(1.0, -(a.index[p] % 13)));
  const Factors<T> f = factor_superlu<T>(a);
  EXPECT_EQ(f.row_scale.size(), 50u);
  EXPECT_LT(factor_error<T>(a, f), 4);
  const Factors<T> plain = factor_superlu<T>(a, {.scale = false});
  EXPECT_TRUE(plain.row_scale.empty() && plain.col_scale.empty());
  EXPECT_LT(factor_error<T>(a, plain), 4);
}

TYPED_TEST(Superlu, EntriesGivenTwiceAreAddedUpInUnsortedRows) {
  using T = TypeParam;
  const Csr<T> a = test::random_matrix<T>({.n = 40, .per_row = 6, .bandwidth = 5, .sorted = false});
  EXPECT_LT(factor_error<T>(a, factor_superlu<T>(a)), 4);
}

TYPED_TEST(Superlu, AnEmptyMatrixHasEmptyFactors) {
  using T = TypeParam;
  for (const Ordering order : orderings) {
    EXPECT_EQ(factor_superlu<T>(Csr<T>{}, {.order = order}).n, 0);
    EXPECT_EQ(factor_superlu_ilu<T>(Csr<T>{}, {.order = order}).n, 0);
  }
}

TYPED_TEST(Superlu, TheColumnOfASingularMatrixIsNamed) {
  using T = TypeParam;
  // Columns 1 and 2 are equal; small integers make the arithmetic exact.
  const auto a = test::picture<T>(R"( 4 . . 1
                                      . 2 2 .
                                      . 1 1 .
                                      1 . . 4 )");
  for (const Ordering order : orderings) {
    const auto [code, text] = refusal([&] { factor_superlu<T>(a, {.order = order}); });
    EXPECT_EQ(code, ErrorCode::singular);
    EXPECT_TRUE(text == "the matrix is singular: column 1 has no nonzero pivot" ||
                text == "the matrix is singular: column 2 has no nonzero pivot")
        << text;
  }
}

TYPED_TEST(Superlu, AMatrixSingularByItsPatternIsRefusedBeforehand) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( x x x .
                                      x . . .
                                      x . . .
                                      x . . x )");
  const auto [code, text] = refusal([&] { factor_superlu<T>(a); });
  EXPECT_EQ(code, ErrorCode::singular);
  EXPECT_EQ(text,
            "the matrix is singular: column 2 cannot have a pivot, because of the pattern alone");
}

TYPED_TEST(Superlu, AZeroRowOrColumnIsNamed) {
  using T = TypeParam;
  EXPECT_EQ(refusal([] { factor_superlu<T>(test::picture<T>("1 0\n 1 0")); }).text,
            "the matrix is singular: column 1 is zero");
  EXPECT_EQ(refusal([] { factor_superlu<T>(test::picture<T>("0 0\n 1 1")); }).text,
            "the matrix is singular: row 0 is zero");
}

TYPED_TEST(Superlu, AMatrixThatIsNotSquareIsRefused) {
  using T = TypeParam;
  const auto a = test::picture<T>("1 2 3\n 2 1 3");
  EXPECT_EQ(refusal([&] { factor_superlu<T>(a); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] { factor_superlu_ilu<T>(a); }).code, ErrorCode::bad_argument);
}

TYPED_TEST(Superlu, OptionsOutOfRangeAreRefused) {
  using T = TypeParam;
  const auto a = test::picture<T>("4");
  const auto code = [&](const FactorOptions& o) {
    return refusal([&] { factor_superlu_ilu<T>(a, o); }).code;
  };
  EXPECT_EQ(code({.pivot_threshold = 1.5}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.drop_tolerance = -1}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.fill_factor = 0}), ErrorCode::bad_argument);
}

TYPED_TEST(Superlu, IluWithoutDroppingIsLu) {
  using T = TypeParam;
  const Csr<T> a = test::random_matrix<T>({.n = 80});
  const Factors<T> f = factor_superlu_ilu<T>(a, {.drop_tolerance = 0, .fill_factor = 100});
  EXPECT_EQ(f.kind, "ILUTP");
  test::expect_well_formed(f);
  EXPECT_LT(factor_error<T>(a, f), 4);
}

TYPED_TEST(Superlu, IluDropsWhatIsSmall) {
  using T = TypeParam;
  const Csr<T> a = generate<T>("laplace2d:20x20");
  const Factors<T> all = factor_superlu<T>(a);
  const Factors<T> some = factor_superlu_ilu<T>(a, {.drop_tolerance = 1e-2});
  test::expect_well_formed(some);
  EXPECT_LT(some.lower.nonzeros, all.lower.nonzeros);
  EXPECT_LT(some.upper.nonzeros, all.upper.nonzeros);
  const double unit = some.n * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  EXPECT_LT(factor_error<T>(a, some) * unit, 1.01);  // where A has no entry, the error is 1
}

}  // namespace
}  // namespace echelon
