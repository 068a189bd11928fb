// tests/numeric/test_pack_blocks.cpp -- packed panels, unchanged or inverted, read back entry by
// entry.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "echelon/numeric.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

template <class T>
class PackBlocks : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PackBlocks, Scalars);

// Two supernodes of the given sizes, both with the last `rows` positions, which form a third.
BlockPlan plan_of(Index w0, Index w1, Index rows, PanelLayout layout) {
  const Index n = w0 + w1 + rows;
  Supernodes s;
  s.n = n;
  s.first = {0, w0, w0 + w1, n};
  for (const bool reaches : {true, true, false}) {
    if (reaches)
      for (Index i = w0 + w1; i < n; ++i) s.row.push_back(i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  BlockRecipe recipe;
  recipe.layout = layout;
  SupernodeReport report;
  return plan_blocks(std::move(s), recipe, {}, report);
}

// Entry (i, j) of panel s; rows of the triangle first, then those below.
template <class T>
T given(Index s, Index i, Index j) {
  if (i == j) return test::number<T>(3 + s, 0.5);
  const double angle = 1000.0 * s + 17.0 * i + 29.0 * j;  // pseudo-random, never zero
  return test::number<T>(std::cos(angle) / 4, std::sin(angle) / 4);
}

template <class T>
FillPanel<T> fill_given() {
  return [](Index s, Index from, Index to, T* columns, Offset ld, Index*) {
    for (Index j = from; j < to; ++j)
      for (Index i = 0; i < ld; ++i)  // above the diagonal: must not be read
        columns[(j - from) * ld + i] = i < j ? T(Real<T>(1e30)) : given<T>(s, i, j);
  };
}

// The stored value of entry (i, j) of panel k.
template <class T, class S>
T stored_at(const BlockPlan& plan, const Buffer<S>& value, Index k, Index i, Index j) {
  const Index s = plan.order[k], w = plan.supernodes.width(s), h = plan.supernodes.height(s);
  const S* const panel = value.data() + plan.value_start[k];
  if (plan.layout == PanelLayout::plain) return T(panel[Offset{j} * (w + h) + i]);
  const Strip strip = strip_of(w, h, i / PanelShape::strip);
  const S* const column = panel + strip.column(j);
  const Index row = i - strip.begin - strip.top(j);
  if constexpr (!is_complex<T>) {
    return static_cast<T>(column[row]);
  } else {  // a group stores its real parts first
    const auto* const part =
        reinterpret_cast<const Real<S>*>(column + row / PanelShape::group * PanelShape::group);
    return {static_cast<Real<T>>(part[row % PanelShape::group]),
            static_cast<Real<T>>(part[PanelShape::group + row % PanelShape::group])};
  }
}

template <class T>
BlockValues<T> pack(const BlockPlan& plan, BlockForm form, NumericOptions o = {}) {
  BlockValues<T> values;
  pack_blocks(plan, fill_given<T>(), form, o, values, 2);
  return values;
}

// Calls body(k, s, i, j) for all entries of all panels.
template <class Body>
void for_each_entry(const BlockPlan& plan, const Body& body) {
  for (Index k = 0; k < static_cast<Index>(plan.order.size()); ++k) {
    const Index s = plan.order[k], w = plan.supernodes.width(s), h = plan.supernodes.height(s);
    for (Index j = 0; j < w; ++j)
      for (Index i = j; i < w + h; ++i) body(k, s, i, j);
  }
}

TYPED_TEST(PackBlocks, ATriangleIsStoredAsItIs) {
  using T = TypeParam;
  for (const PanelLayout layout : {PanelLayout::strips, PanelLayout::plain})
    for (const auto& [w0, w1, rows] :
         {std::array{1, 1, 1}, {3, 40, 7}, {33, 64, 31}, {70, 9, 90}}) {
      const BlockPlan plan = plan_of(w0, w1, rows, layout);
      const auto values = pack<T>(plan, BlockForm::triangle);
      ASSERT_EQ(static_cast<Offset>(values.value.size()), plan.values());
      for_each_entry(plan, [&](Index k, Index s, Index i, Index j) {
        ASSERT_EQ((stored_at<T>(plan, values.value, k, i, j)), given<T>(s, i, j)) << i << ' ' << j;
      });
      EXPECT_EQ(values.uninverted_blocks, 0);
      EXPECT_FALSE(values.all_inverse);
    }
}

TYPED_TEST(PackBlocks, APieceIsPartOfTheWhole) {
  using T = TypeParam;
  const BlockPlan plan = plan_of(33, 9, 31, PanelLayout::strips);
  const auto whole = pack<T>(plan, BlockForm::triangle).value;
  for (const auto& [begin, end] : {std::array{0, 3}, {1, 2}, {1, 3}, {2, 2}}) {
    const auto from = whole.begin() + plan.value_start[begin],
               to = whole.begin() + plan.value_start[end];
    std::vector<T> piece(static_cast<std::size_t>(to - from));
    pack_triangles(plan, fill_given<T>(), begin, end, std::span<T>(piece), 2);
    EXPECT_TRUE(std::equal(from, to, piece.begin())) << begin << ' ' << end;
  }
}

// The padding above the diagonal and below the last row is zero.
TYPED_TEST(PackBlocks, TheRestIsZero) {
  using T = TypeParam;
  const BlockPlan plan = plan_of(35, 3, 13, PanelLayout::strips);
  const auto values = pack<T>(plan, BlockForm::triangle);
  constexpr int parts = is_complex<T> ? 2 : 1;
  const auto* const reals = reinterpret_cast<const Real<T>*>(values.value.data());
  const auto zeros = std::count(reals, reals + parts * values.value.size(), Real<T>(0));
  EXPECT_EQ(zeros, parts * (plan.values() - plan.supernodes.entries()));
}

// D^-1 D = I and (P D^-1) D = P.
TYPED_TEST(PackBlocks, AnInverseTimesTheTriangleIsOne) {
  using T = TypeParam;
  const double unit = static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  for (const auto& [w0, w1, rows] : {std::array{1, 2, 1}, {25, 130, 7}, {70, 9, 90}}) {
    const BlockPlan plan = plan_of(w0, w1, rows, PanelLayout::strips);
    for (const BlockForm form : {BlockForm::inverse_diagonal, BlockForm::inverse}) {
      const auto values = pack<T>(plan, form);
      EXPECT_EQ(values.all_inverse, form == BlockForm::inverse);
      EXPECT_GE(values.largest_growth, 1);
      for_each_entry(plan, [&](Index k, Index s, Index i, Index j) {
        const Index w = plan.supernodes.width(s);
        if (i >= w && form == BlockForm::inverse_diagonal) {
          ASSERT_EQ((stored_at<T>(plan, values.value, k, i, j)), given<T>(s, i, j));
          return;
        }
        T sum = T(0);
        for (Index c = j; c <= std::min(i, w - 1); ++c)
          sum += stored_at<T>(plan, values.value, k, i, c) * given<T>(s, c, j);
        const T wanted = i < w ? T(i == j) : given<T>(s, i, j);
        ASSERT_LE(std::abs(sum - wanted), 16 * w * unit) << w << ' ' << i << ' ' << j;
      });
    }
  }
}

TYPED_TEST(PackBlocks, LowPrecisionIsTheSameRounded) {
  using T = TypeParam;
  const BlockPlan plan = plan_of(37, 5, 20, PanelLayout::strips);
  for (const BlockForm form : {BlockForm::triangle, BlockForm::inverse}) {
    const auto values = pack<T>(plan, form);
    const auto low = pack<T>(plan, form, {.low_precision = true});
    if (std::same_as<T, Low<T>>) {
      EXPECT_EQ(low.value, values.value);
      continue;
    }
    EXPECT_TRUE(low.value.empty());
    for_each_entry(plan, [&](Index k, Index, Index i, Index j) {
      const T v = stored_at<T>(plan, values.value, k, i, j);
      const T rounded = stored_at<T>(plan, low.low, k, i, j);
      ASSERT_LE(std::abs(rounded - v), std::numeric_limits<float>::epsilon() * std::abs(v));
    });
  }
}

TYPED_TEST(PackBlocks, ABlockThatGrowsIsKept) {
  using T = TypeParam;
  const BlockPlan plan = plan_of(20, 20, 5, PanelLayout::strips);
  const FillPanel<T> fill = [&](Index s, Index from, Index to, T* panel, Offset ld, Index* where) {
    fill_given<T>()(s, from, to, panel, ld, where);
    if (s != 1) return;
    for (Index j = 0; j < 20; ++j)
      for (Index i = j; i < 20; ++i) panel[j * ld + i] = i == j ? T(1) : T(-1);
  };
  for (const BlockForm form : {BlockForm::inverse_diagonal, BlockForm::inverse}) {
    BlockValues<T> values;
    pack_blocks(plan, fill, form, {.largest_growth = 1e4}, values, 2);
    EXPECT_EQ(values.uninverted_blocks, 1);
    EXPECT_LT(values.largest_growth, 1e4);
    EXPECT_FALSE(values.all_inverse);
    for (Index k = 0; k < 3; ++k)
      EXPECT_EQ(values.form[k], plan.order[k] == 1 ? BlockForm::triangle : form);
    const auto bad = std::find(plan.order.begin(), plan.order.end(), 1) - plan.order.begin();
    const auto k = static_cast<Index>(bad);
    EXPECT_EQ((stored_at<T>(plan, values.value, k, 7, 3)), T(-1));
    EXPECT_EQ((stored_at<T>(plan, values.value, k, 22, 3)), given<T>(1, 22, 3));
  }
}

// D and P are well conditioned, but P D^-1 overflows.
TYPED_TEST(PackBlocks, ABlockWhoseProductOverflowsIsKept) {
  using T = TypeParam;
  const auto large = std::pow(std::numeric_limits<Real<T>>::max(), Real<T>(0.6));
  const BlockPlan plan = plan_of(20, 20, 5, PanelLayout::strips);
  const FillPanel<T> fill = [&](Index s, Index from, Index to, T* panel, Offset ld, Index* where) {
    fill_given<T>()(s, from, to, panel, ld, where);
    if (s != 1) return;
    for (Index j = from; j < to; ++j)
      for (Index i = j; i < ld; ++i)
        panel[(j - from) * ld + i] = i == j ? T(1 / large) : i < 20 ? T(0) : T(large);
  };
  BlockValues<T> values;
  pack_blocks(plan, fill, BlockForm::inverse, {}, values, 2);
  EXPECT_EQ(values.uninverted_blocks, 1);
  EXPECT_LT(values.largest_growth, 100);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(values.form[k], plan.order[k] == 1 ? BlockForm::triangle : BlockForm::inverse);
    if (plan.order[k] != 1) continue;
    EXPECT_EQ((stored_at<T>(plan, values.value, k, 3, 3)), T(1 / large));
    EXPECT_EQ((stored_at<T>(plan, values.value, k, 22, 3)), T(large));
  }
  pack_blocks(plan, fill, BlockForm::inverse_diagonal, {}, values, 2);
  EXPECT_EQ(values.uninverted_blocks, 0) << "D^-1 alone does not overflow";
}

// Row 15 of the inverse is infinity minus infinity; later rows are those of a unit matrix.
TEST(PackBlocksGrowth, StaysNotANumberOnceItIs) {
  const BlockPlan plan = plan_of(26, 2, 5, PanelLayout::strips);
  const FillPanel<double> fill = [&](Index s, Index from, Index to, double* panel, Offset ld,
                                     Index* where) {
    fill_given<double>()(s, from, to, panel, ld, where);
    if (s != 0) return;
    for (Index j = 0; j < 26; ++j)
      for (Index i = j; i < 26; ++i) panel[j * ld + i] = i == j;
    panel[13] = panel[14] = panel[13 * ld + 15] = 1e200;
    panel[14 * ld + 15] = -1e200;
  };
  BlockValues<double> values;
  pack_blocks(plan, fill, BlockForm::inverse, {}, values, 1);
  EXPECT_EQ(values.uninverted_blocks, 1);
}

TYPED_TEST(PackBlocks, AnUpdateReusesTheArrays) {
  using T = TypeParam;
  const BlockPlan plan = plan_of(12, 5, 20, PanelLayout::strips);
  auto values = pack<T>(plan, BlockForm::inverse);
  const T* const before = values.value.data();
  pack_blocks(plan, fill_given<T>(), BlockForm::inverse, {}, values, 1);
  EXPECT_EQ(values.value.data(), before);
  EXPECT_EQ(values.value, pack<T>(plan, BlockForm::inverse).value);
}

TEST(PackBlocksRefusals, NameTheRow) {
  BlockPlan plan = plan_of(12, 5, 20, PanelLayout::strips);
  BlockForm form = BlockForm::inverse;
  bool low = false;
  const auto refusal = [&](Index s, Index i, Index j, double value) {
    const FillPanel<double> fill = [&](Index t, Index from, Index to, double* panel, Offset ld,
                                       Index* where) {
      fill_given<double>()(t, from, to, panel, ld, where);
      if (t == s) panel[j * ld + i] = value;
    };
    BlockValues<double> values;
    return test::refusal([&] { pack_blocks(plan, fill, form, {.low_precision = low}, values, 2); });
  };
  using test::Refusal;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(1, 3, 3, 0),
            Refusal(ErrorCode::zero_diagonal, "the diagonal entry of row 15 is zero"));
  EXPECT_EQ(refusal(0, 20, 4, nan),
            Refusal(ErrorCode::not_finite,
                    "row or column 4 of the triangle has an entry that is not finite"));
  EXPECT_EQ(refusal(2, 19, 19, inf).code, ErrorCode::not_finite);
  plan.reversed = true;  // position 15 is unknown 21
  EXPECT_EQ(refusal(1, 3, 3, 0),
            Refusal(ErrorCode::zero_diagonal, "the diagonal entry of row 21 is zero"));
  plan.reversed = false;

  // Values that fit in double but not in float: too large, a diagonal that underflows, and one
  // whose reciprocal does.
  form = BlockForm::triangle;
  EXPECT_EQ(refusal(0, 20, 4, 1e39), Refusal());
  low = true;
  EXPECT_EQ(refusal(0, 20, 4, 1e39),
            Refusal(ErrorCode::not_finite,
                    "single precision cannot hold row or column 4 of the triangle, or its inverse; "
                    "keep the values in double precision"));
  EXPECT_EQ(refusal(1, 3, 3, 1e-39).code, ErrorCode::not_finite);
  EXPECT_EQ(refusal(0, 20, 4, 1e-39), Refusal());
  form = BlockForm::inverse;
  EXPECT_EQ(refusal(1, 3, 3, 1e39).code, ErrorCode::not_finite);
}

TEST(BytesRead, CountPanelsThatADeviceHas) {
  BlockPlan plan;
  plan.local = {1, 2, 3};
  BlockValues<double> values;
  values.on_device = 800;
  EXPECT_EQ(bytes_read(plan, values), 800 + 3 * 4);
}

}  // namespace
}  // namespace echelon
