// tests/factor/test_factors_of.cpp -- the caller's own triangles in any storage.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"

namespace echelon {
namespace {

using test::refusal;

template <class T>
class FactorsOf : public testing::Test {};
TYPED_TEST_SUITE(FactorsOf, test::Scalars);

constexpr TriangleOptions ignore_other{.outside = OutsideEntries::ignore};

// The expected N: the triangle of a dense matrix, transposed if it is an upper one.
test::Dense triangle_of(const test::Dense& a, Uplo uplo, bool unit) {
  test::Dense n(a.n);
  for (Index i = 0; i < a.n; ++i)
    for (Index j = 0; j <= i; ++j) n(i, j) = uplo == Uplo::lower ? a(i, j) : a(j, i);
  for (Index i = 0; unit && i < a.n; ++i) n(i, i) = 1;
  return n;
}

TYPED_TEST(FactorsOf, EveryListingGivesTheSame) {
  using T = TypeParam;
  const Csr<T> a = test::random_matrix<T>({.n = 50, .sorted = false});
  const Csc<T> c = to_csc<T>(a);
  const auto whole = test::dense<T>(a);
  const auto l = triangle_of(whole, Uplo::lower, false), u = triangle_of(whole, Uplo::upper, false);
  for (const auto& f : {factors_of<T>(lower(a, ignore_other), upper(a, ignore_other)),
                        factors_of<T>(lower(c, ignore_other), upper(c, ignore_other))}) {
    test::expect_well_formed(f);
    EXPECT_EQ(test::dense(f.lower, 50).value.size(), l.value.size());
    for (std::size_t k = 0; k < l.value.size(); ++k) {
      EXPECT_LT(std::abs(test::dense(f.lower, 50).value[k] - l.value[k]), 1e-6);
      EXPECT_LT(std::abs(test::dense(f.upper, 50).value[k] - u.value[k]), 1e-6);
    }
  }
}

TYPED_TEST(FactorsOf, ATriangleCanBeTheConjugateTransposeOfTheOther) {
  using T = TypeParam;
  const Csr<T> a = test::random_hermitian<T>(30, 3);
  const TriangleOptions conjugate{.op = Op::conjugate, .outside = OutsideEntries::ignore};
  const Factors<T> f = factors_of<T>(upper(a, conjugate), upper(a, ignore_other));
  const auto plain = factors_of<T>(lower(a, ignore_other), upper(a, ignore_other));
  EXPECT_EQ(f.lower.columns.index, plain.lower.columns.index);
  EXPECT_EQ(f.lower.columns.value, plain.lower.columns.value);
}

TYPED_TEST(FactorsOf, AUnitDiagonalIsNotStored) {
  using T = TypeParam;
  const auto l = test::picture<T>("7 . .\n 2 7 .\n . 3 7");
  const auto u = test::picture<T>("1 5 .\n . 2 6\n . . 3");
  const Factors<T> f = factors_of<T>(lower(l, {.diagonal = Diagonal::unit}), upper(u));
  EXPECT_TRUE(f.lower.unit_diagonal);
  EXPECT_EQ(f.lower.columns.value, (Buffer<T>{T(2), T(3)}));
  EXPECT_EQ(f.lower.nonzeros, 5);
  EXPECT_EQ(f.upper.columns.value, (Buffer<T>{T(1), T(5), T(2), T(6), T(3)}));
  test::expect_well_formed(f);
}

TYPED_TEST(FactorsOf, EntriesGivenTwiceAreAddedUp) {
  using T = TypeParam;
  Csr<T> l;
  l.rows = l.cols = 2;
  l.start = {0, 2, 6};
  l.index = {0, 0, 1, 0, 1, 0};
  l.value = {T(1), T(2), T(3), T(4), T(5), T(6)};
  const Factors<T> f = factors_of<T>(lower(l), upper(test::picture<T>("1 .\n . 1")));
  EXPECT_EQ(f.lower.columns.value, (Buffer<T>{T(3), T(10), T(8)}));
}

TYPED_TEST(FactorsOf, APartitionGivesSupernodes) {
  using T = TypeParam;
  const auto l = test::picture<T>("x . .\n x x .\n x x x");
  const auto u = test::picture<T>("x x .\n . x x\n . . x");
  const std::vector<Index> whole{0, 3}, two{0, 1, 3};
  const Factors<T> f = factors_of<T>(lower(l), upper(u), whole, two);
  EXPECT_EQ(f.lower.supernodes.count(), 1);
  EXPECT_EQ(f.upper.supernodes.first, (Buffer<Index>{0, 1, 3}));
  EXPECT_EQ(f.upper.supernodes.row, (Buffer<Index>{1}));
  const std::vector<Index> bad{0, 2};
  EXPECT_EQ(refusal([&] { factors_of<T>(lower(l), upper(u), bad); }).code, ErrorCode::bad_argument);
}

TYPED_TEST(FactorsOf, RefusesTrianglesThatDoNotFit) {
  using T = TypeParam;
  const auto l = test::picture<T>("x .\n x x"), u = test::picture<T>("x x\n . x");
  const auto big = test::picture<T>("x . .\n . x .\n . . x");
  const auto code = [](const Triangle<T>& a, const Triangle<T>& b) {
    return refusal([&] { factors_of<T>(a, b); }).code;
  };
  EXPECT_EQ(code(upper(u), upper(u)), ErrorCode::bad_argument);
  EXPECT_EQ(code(lower(l), lower(l)), ErrorCode::bad_argument);
  EXPECT_EQ(code(lower(l), upper(big)), ErrorCode::bad_argument);
  EXPECT_EQ(code(lower(u), upper(u)), ErrorCode::not_triangular);
  const auto hole = test::picture<T>("x .\n x .");
  EXPECT_EQ(code(lower(hole), upper(u)), ErrorCode::zero_diagonal);
}

}  // namespace
}  // namespace echelon
