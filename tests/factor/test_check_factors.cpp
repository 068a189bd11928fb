// tests/factor/test_check_factors.cpp -- good factors pass the check, and bad ones do not.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "factor/check_factors.hpp"

namespace echelon {
namespace {

template <class T>
class Checks : public testing::Test {};
TYPED_TEST_SUITE(Checks, test::Scalars);

TYPED_TEST(Checks, PassWhatMultipliesOutToTheMatrix) {
  using T = TypeParam;
  const Csr<T> spd = test::random_hermitian<T>(90, 4), pivots = test::random_to_pivot<T>(90, 4);
  for (const std::string& package : factor_packages()) {
    if (package == "ilu0" || package == "ic0" || package == "superlu_ilu") continue;
    const Csr<T>& a = package == "cholmod" ? spd : pivots;
    const Factors<T> f = factor_by_name<T>(package, a, {.order = Ordering::natural});
    const FactorCheck rows = check_factors(MatrixView<T>(a), f);
    EXPECT_TRUE(rows.good<T>()) << package << ' ' << rows.first << ' ' << rows.refined;
    const Csc<T> columns = to_csc(CsrView<T>(a));
    EXPECT_TRUE(check_factors(MatrixView<T>(columns), f).template good<T>()) << package;
  }
}

TYPED_TEST(Checks, PassFactorsWithADiagonal) {
  using T = TypeParam;
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD here";
  const Csr<T> a = test::random_hermitian<T>(60, 4);
  const Factors<T> f = factor_cholmod<T>(a, {.order = Ordering::natural, .simplicial = true});
  EXPECT_TRUE(check_factors(MatrixView<T>(a), f).template good<T>());
}

TYPED_TEST(Checks, FailFactorsOfAnotherMatrix) {
  using T = TypeParam;
  const FactorOptions natural{.order = Ordering::natural};
  const Factors<T> f = factor_ilu0<T>(test::picture<T>("2 1\n 1 3"), natural);
  EXPECT_TRUE(check_factors(MatrixView<T>(test::picture<T>("2 1\n 1 3")), f).template good<T>());
  EXPECT_FALSE(check_factors(MatrixView<T>(test::picture<T>("2 1\n 1 4")), f).template good<T>());
}

TYPED_TEST(Checks, FailPivotsThatAreZero) {
  using T = TypeParam;
  Factors<T> f =
      factors_of(lower(test::picture<T>("1 .\n 1 1")), upper(test::picture<T>("1 1\n . 1")));
  f.diagonal = {T(1), T(0)};
  const FactorCheck check = check_factors(MatrixView<T>(test::picture<T>("1 1\n 1 1")), f);
  EXPECT_FALSE(check.good<T>());
  EXPECT_FALSE(std::isfinite(check.first));
}

TYPED_TEST(Checks, OfNothingPass) {
  using T = TypeParam;
  EXPECT_TRUE(check_factors(MatrixView<T>(Csr<T>{}), Factors<T>{}).template good<T>());
}

}  // namespace
}  // namespace echelon
