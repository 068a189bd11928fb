// tests/numeric/test_trusted_parts.cpp -- parts of diagonal blocks whose inverses are accurate.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>

#include "echelon/numeric.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

// Full triangles of these widths, one supernode each, without rows below.
BlockPlan plan_of(std::initializer_list<Index> widths) {
  Supernodes s;
  s.first = {0};
  s.row_start = {0};
  for (const Index w : widths) {
    s.first.push_back(s.first.back() + w);
    s.row_start.push_back(0);
  }
  s.n = s.first.back();
  SupernodeReport report;
  return plan_blocks(std::move(s), {}, {}, report);
}

template <class T, class Entry>
FillPanel<T> fill_with(const Entry& entry) {
  return [entry](Index s, Index from, Index to, T* columns, Offset ld, Index*) {
    for (Index j = from; j < to; ++j)
      for (Index i = j; i < ld; ++i) columns[(j - from) * ld + i] = entry(s, i, j);
  };
}

template <class T>
Buffer<Index> parts_of(const BlockPlan& plan, const FillPanel<T>& fill,
                       const Buffer<BlockForm>& form, double most) {
  return find_trusted_parts(plan, fill, std::span<const BlockForm>(form), {.largest_growth = most},
                            2);
}

// By hand: D is 1 on the diagonal and -2 below it.  Row i of |D^-1| |D| sums up to 1, 5, 17, 53,
// ... 2 * 3^i - 1, so rows up to 4 (161) are below 200 and row 5 (485) is not.
TEST(TrustedParts, AreAsLongAsTheirGrowthAllows) {
  const auto fill = fill_with<double>([](Index, Index i, Index j) { return i == j ? 1.0 : -2.0; });
  const Buffer<BlockForm> form{BlockForm::triangle, BlockForm::triangle};
  EXPECT_EQ(parts_of(plan_of({13, 2}), fill, form, 200), (Buffer<Index>{0, 5, 10, 13, 15}));
  EXPECT_EQ(parts_of(plan_of({13, 2}), fill, form, 500), (Buffer<Index>{0, 6, 12, 13, 15}));
  EXPECT_EQ(parts_of(plan_of({13, 2}), fill, form, 1e9), (Buffer<Index>{0, 13, 15}));
}

TEST(TrustedParts, AreNotMadeOfInvertedPanelsOrOfFewColumns) {
  const auto fill = fill_with<double>([](Index, Index i, Index j) { return i == j ? 1.0 : -2.0; });
  const BlockPlan plan = plan_of({13, 12});
  const Buffer<BlockForm> first{BlockForm::triangle, BlockForm::inverse};
  EXPECT_EQ(parts_of(plan, fill, first, 200), (Buffer<Index>{0, 5, 10, 13, 25}));
  const Buffer<BlockForm> second{BlockForm::inverse_diagonal, BlockForm::triangle};
  EXPECT_EQ(parts_of(plan, fill, second, 200), (Buffer<Index>{0, 13, 18, 23, 25}));
  const Buffer<BlockForm> both{BlockForm::triangle, BlockForm::triangle};
  EXPECT_EQ(parts_of(plan, fill, both, 20), (Buffer<Index>{0, 13, 25})) << "three columns each";
  EXPECT_EQ(parts_of(plan, fill, both, 0), (Buffer<Index>{0, 13, 25})) << "one column each";
}

template <class T>
class TrustedPartsOf : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TrustedPartsOf, Scalars);

// Each part can be inverted; none could be longer.
TYPED_TEST(TrustedPartsOf, RandomTrianglesAreTheFewest) {
  using T = TypeParam;
  constexpr double most = 1e4;
  const Index w = 200;
  const BlockPlan plan = plan_of({w});
  const auto entry = [](Index, Index i, Index j) {
    std::mt19937 random(static_cast<unsigned>(1000 * i + j));
    std::uniform_real_distribution<double> value(-1, 1);
    const double a = value(random), b = value(random);
    return i == j ? T(Real<T>(1.1)) : test::number<T>(a, b);
  };
  const FillPanel<T> fill = fill_with<T>(entry);
  const Buffer<Index> first = parts_of(plan, fill, {BlockForm::triangle}, most);
  ASSERT_GT(first.size(), 3U) << "two parts at most";
  const auto is_trusted = [&](Index begin, Index end) {
    BlockValues<T> values;
    pack_blocks(plan_of({end - begin}), fill_with<T>([&](Index, Index i, Index j) {
                  return entry(0, begin + i, begin + j);
                }),
                BlockForm::inverse, {.largest_growth = most}, values);
    return values.uninverted_blocks == 0;
  };
  for (std::size_t k = 0; k + 1 < first.size(); ++k) {
    EXPECT_TRUE(is_trusted(first[k], first[k + 1])) << k;
    if (first[k + 1] < w) {
      EXPECT_FALSE(is_trusted(first[k], first[k + 1] + 1)) << k;
    }
  }
}

}  // namespace
}  // namespace echelon
