// tests/numeric/test_pack_values.cpp -- values in packed order, and their checks.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "echelon/numeric.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::Refusal;

template <class T>
PackedPattern pack(const Triangle<T>& t, Order lists = Order::rows) {
  DependencyGraph g = find_dependency_graph(t, lists);
  Buffer<Index> order(g.n);
  for (Index k = 0; k < g.n; ++k) order[k] = g.unknown(k);
  return pack_pattern(std::move(g), std::move(order));
}

template <class T>
PackedValues<T> values_of(const PackedPattern& pattern, const Triangle<T>& t) {
  PackedValues<T> out;
  pack_values<T>(pattern, t.value, t.stored.nonzeros(), t.conjugated(), out, 2);
  return out;
}

template <class T>
class PackValues : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PackValues, Scalars);

TYPED_TEST(PackValues, FollowThePattern) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 2 . .
                                      3 4 .
                                      5 . 8 )");
  const auto t = lower(a);
  const auto pattern = pack(t);
  const auto v = values_of(pattern, t);
  EXPECT_EQ(v.value, (Buffer<T>{T(3), T(5)}));
  EXPECT_EQ(v.form, DiagonalForm::reciprocal);
  EXPECT_EQ(v.diagonal, (Buffer<T>{T(0.5), T(0.25), T(0.125)}));
}

TYPED_TEST(PackValues, ByColumnsAreTheTranspose) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 2 . .
                                      3 4 .
                                      5 6 8 )");
  const auto t = lower(a);
  const auto v = values_of(pack(t, Order::columns), t);
  EXPECT_EQ(v.value, (Buffer<T>{T(3), T(5), T(6)}));
}

TYPED_TEST(PackValues, AUnitDiagonalIsNotStored) {
  using T = TypeParam;
  const auto a = test::picture<T>("0 .\n 3 0");
  const auto t = lower(a, {.diagonal = Diagonal::unit});
  const auto v = values_of(pack(t), t);
  EXPECT_EQ(v.form, DiagonalForm::unit);
  EXPECT_TRUE(v.diagonal.empty());
}

TYPED_TEST(PackValues, ADiagonalTooSmallToInvertIsKept) {
  using T = TypeParam;
  auto a = test::picture<T>("2 .\n 3 4");
  a.value[2] = T(std::numeric_limits<Real<T>>::denorm_min());
  const auto t = lower(a);
  const auto v = values_of(pack(t), t);
  EXPECT_EQ(v.form, DiagonalForm::plain);
  EXPECT_EQ(v.diagonal[0], T(2));
  EXPECT_EQ(v.diagonal[1], a.value[2]);
}

TYPED_TEST(PackValues, AnUpdateReusesTheArrays) {
  using T = TypeParam;
  auto a = test::random_matrix<T>({.n = 50});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto pattern = pack(t);
  auto v = values_of(pattern, t);
  const T* const before = v.value.data();
  for (T& x : a.value) x *= T(2);
  pack_values<T>(pattern, a.value, a.nonzeros(), false, v, 2);
  EXPECT_EQ(v.value.data(), before);
  EXPECT_EQ(v.value, values_of(pattern, lower(a, {.outside = OutsideEntries::ignore})).value);
}

TEST(PackValuesConjugated, OnlyWhenAsked) {
  using T = std::complex<double>;
  Csr<T> a = test::picture<T>("1 .\n 1 1");
  a.value = {T(0, 1), T(2, 3), T(0, -1)};
  const auto t = lower(a, {.op = Op::conjugate});
  const auto v = values_of(pack(t), t);
  EXPECT_EQ(v.value[0], T(2, -3));
  EXPECT_EQ(v.diagonal[1], T(1) / T(0, -1));  // the upper sweep: row 0 is second
}

TEST(PackValuesDuplicates, OfTheDiagonalAddUp) {
  Csr<double> a;
  a.rows = a.cols = 1;
  a.start = {0, 3};
  a.index = {0, 0, 0};
  a.value = {1, 2, 5};
  const auto t = lower(a);
  EXPECT_EQ(values_of(pack(t), t).diagonal[0], 0.125);
}

Refusal refusal(const Csr<double>& a, std::span<const double> values) {
  PackedValues<double> out;
  return test::refusal(
      [&] { pack_values<double>(pack(lower(a)), values, a.nonzeros(), false, out); });
}

TEST(PackValuesRefusals, NameTheEntry) {
  const auto a = test::picture<double>("1 . .\n 2 3 .\n 4 5 6");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(a, std::vector<double>{1, 2, 0, 4, 5, 6}),
            Refusal(ErrorCode::zero_diagonal, "the diagonal entry of row 1 is zero"));
  EXPECT_EQ(refusal(a, std::vector<double>{1, 2, 3, 4, nan, 6}),
            Refusal(ErrorCode::not_finite, "the entry in row 2, column 1 is not finite"));
  EXPECT_EQ(refusal(a, std::vector<double>{1, 2, 3, 4, 5, inf}),
            Refusal(ErrorCode::not_finite, "the entry in row 2, column 2 is not finite"));
  EXPECT_EQ(refusal(a, std::vector<double>{1, 2}),
            Refusal(ErrorCode::bad_argument, "there are 2 values for a pattern with 6 entries"));
}

}  // namespace
}  // namespace echelon
