// tests/factor/test_cholmod.cpp -- CHOLMOD's factors multiply out to the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

template <class T>
class Cholmod : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD in this build";
  }
};
TYPED_TEST_SUITE(Cholmod, test::Scalars);

TYPED_TEST(Cholmod, FactorsMultiplyOutToTheMatrixInEveryOrdering) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 33, 120}) {
    const Csr<T> a = test::random_hermitian<T>(n, std::min<Index>(n - 1, 5));
    for (const Ordering order : {Ordering::metis, Ordering::amd, Ordering::natural})
      for (const bool simplicial : {false, true}) {
        const Factors<T> f = factor_cholmod<T>(a, {.order = order, .simplicial = simplicial});
        EXPECT_LT(factor_error<T>(a, f), 4) << n << ' ' << name(order) << ' ' << f.kind;
        test::expect_well_formed(f);
        EXPECT_TRUE(f.symmetric);
        EXPECT_EQ(f.kind, simplicial ? "LDL' simplicial" : "LL' supernodal");
        EXPECT_EQ(f.lower.in_panels(), !simplicial);
      }
  }
}

TYPED_TEST(Cholmod, OnlyTheLowerTriangleIsRead) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(40, 4);
  const Csr<T> half = extract_triangle<T>(a, Uplo::lower);
  EXPECT_LT(factor_error<T>(a, factor_cholmod<T>(half)), 4);
}

TYPED_TEST(Cholmod, EntriesGivenTwiceAreAddedUp) {
  using T = TypeParam;
  Csr<T> a;
  a.rows = a.cols = 2;
  a.start = {0, 2, 5};
  a.index = {0, 0, 1, 0, 0};
  a.value = {T(1), T(3), T(5), T(1), T(1)};
  EXPECT_LT(factor_error<T>(test::picture<T>("4 2\n 2 5"), factor_cholmod<T>(a)), 4);
}

TYPED_TEST(Cholmod, AnEmptyMatrixHasEmptyFactors) {
  using T = TypeParam;
  for (const Ordering order : {Ordering::metis, Ordering::amd, Ordering::natural})
    for (const bool simplicial : {false, true}) {
      const Factors<T> f = factor_cholmod<T>(Csr<T>{}, {.order = order, .simplicial = simplicial});
      EXPECT_EQ(f.n, 0);
      EXPECT_EQ(f.lower.nonzeros, 0);
    }
}

TYPED_TEST(Cholmod, AColumnThatIsNotPositiveDefiniteIsNamed) {
  using T = TypeParam;
  auto a = test::picture<T>(R"( 4 . . .
                                . 4 . .
                                . . -1 .
                                . . . 4 )");
  for (const Ordering order : {Ordering::metis, Ordering::amd, Ordering::natural}) {
    const auto [code, text] = refusal([&] { factor_cholmod<T>(a, {.order = order}); });
    EXPECT_EQ(code, ErrorCode::not_positive_definite);
    EXPECT_EQ(text, "the matrix is not positive definite: the pivot of column 2 is not positive");
  }
  a.value[2] = T(0);
  const auto [code, text] = refusal([&] { factor_cholmod<T>(a, {.simplicial = true}); });
  EXPECT_EQ(code, ErrorCode::not_positive_definite);
  EXPECT_EQ(text, "the matrix is not positive definite: the pivot of column 2 is zero");
}

TYPED_TEST(Cholmod, AMatrixWithoutEntriesIsNotPositiveDefinite) {
  using T = TypeParam;
  const auto a = test::picture<T>(". .\n . .");
  EXPECT_EQ(refusal([&] { factor_cholmod<T>(a); }).code, ErrorCode::not_positive_definite);
}

TYPED_TEST(Cholmod, AnIndefiniteMatrixHasASimplicialFactor) {
  using T = TypeParam;
  const auto a = test::picture<T>("1 2\n 2 1");
  const Factors<T> f = factor_cholmod<T>(a, {.order = Ordering::natural, .simplicial = true});
  EXPECT_EQ(f.diagonal, (std::vector<T>{T(1), T(-3)}));
  EXPECT_LT(factor_error<T>(a, f), 4);
}

TYPED_TEST(Cholmod, AMatrixThatIsNotSquareIsRefused) {
  using T = TypeParam;
  const auto a = test::picture<T>("1 2 3\n 2 1 3");
  EXPECT_EQ(refusal([&] { factor_cholmod<T>(a); }).code, ErrorCode::bad_argument);
}

TEST(CholmodPanels, OfDoubleAreNotCopied) {
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD in this build";
  Factors<double> moved;
  {
    Factors<double> f = factor_cholmod<double>(generate<double>("elasticity3d:3"));
    EXPECT_EQ(f.ordering, "metis");
    moved = std::move(f);
  }
  EXPECT_NE(moved.owner, nullptr);
  EXPECT_LT(factor_error<double>(generate<double>("elasticity3d:3"), moved), 4);
}

TEST(CholmodOrdering, NaturalIsNamedPostorderWhereItIsOne) {
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD in this build";
  const FactorOptions natural{.order = Ordering::natural};
  const auto chain = test::picture<double>("4 1 .\n 1 4 1\n . 1 4");
  EXPECT_EQ(factor_cholmod<double>(chain, natural).ordering, "natural");
  const auto two_chains = test::picture<double>(R"( 4 . 1 .
                                                    . 4 . 1
                                                    1 . 4 .
                                                    . 1 . 4 )");
  EXPECT_EQ(factor_cholmod<double>(two_chains, natural).ordering, "postorder");
}

}  // namespace
}  // namespace echelon
