// tests/factor/test_incomplete.cpp -- common properties of IC(0) and ILU(0).
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"

namespace echelon {
namespace {

using test::picture;
using test::refusal;
constexpr FactorOptions natural{.order = Ordering::natural};

// The two factorizations as functions of rows only: both have overloads for other storage.
template <class T>
constexpr Factors<T> (*both[])(const CsrView<T>&, const FactorOptions&) = {factor_ic0, factor_ilu0};

template <class T>
class Incomplete : public testing::Test {};
TYPED_TEST_SUITE(Incomplete, test::Scalars);

TYPED_TEST(Incomplete, RefusesWhatHasNoDiagonalOrIsNotSquare) {
  using T = TypeParam;
  for (const auto factor : both<T>) {
    EXPECT_EQ(refusal([&] { factor(picture<T>("1 2\n 2 ."), natural); }).text,
              "row 1 has no diagonal entry");
    EXPECT_EQ(refusal([&] { factor(picture<T>("1 2"), natural); }).code, ErrorCode::bad_argument);
  }
}

TYPED_TEST(Incomplete, OfNothingIsNothing) {
  using T = TypeParam;
  for (const auto factor : both<T>) EXPECT_EQ(factor(Csr<T>{}, natural).n, 0);
}

}  // namespace
}  // namespace echelon
