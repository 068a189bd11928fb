// tests/exec/test_device_invert.cpp -- the GPU's stages of panel inversion, emulated on the CPU:
// all forms and scalars against pack_blocks.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_block.hpp"
// (a separate include block)
#include "exec/cuda/panels/device_invert.cuh"
#include "exec/invert_checks.hpp"

namespace echelon {
namespace {

// The device arrays, initially NaN.
template <class T>
struct Emulated {
  using R = Real<T>;
  using Device = DeviceInverter<DeviceScalar<T>, R>;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  explicit Emulated(const test::Inverted<T>& c)
      : panels(make_panels(c.plan)),
        items(make_invert_items(panels)),
        value(c.raw.value.size(), T(nan)),
        low(c.raw.value.size()),
        row_sum(static_cast<std::size_t>(c.plan.n), nan),
        part(items.tiles.size(), nan),
        growth(panels.size(), nan),
        form(panels.size()),
        refused(panels.size()) {
    const Device device{panels.data(),
                        items.tile_start.data(),
                        reinterpret_cast<const R*>(c.raw.value.data()),
                        reinterpret_cast<R*>(value.data()),
                        row_sum.data(),
                        part.data(),
                        growth.data(),
                        form.data(),
                        refused.data(),
                        c.wanted,
                        c.o.largest_growth};
    run(device);
  }

  void run(const Device& device) {
    static EmulatedBlock block(block_threads);
    static typename Device::TileSpace tile;
    static typename Device::SliceSpace slices;
    const auto each = [](const Buffer<InvertItem>& list, const auto& body) {
      for (std::size_t k = 0; k < list.size(); ++k)
        block.run([&] { body(static_cast<Index>(k), list[k]); });
    };
    if (device.wanted != BlockForm::triangle) {
      each(items.tiles, [&](Index, InvertItem i) { device.invert_tile(i, tile); });
      each(items.columns, [&](Index, InvertItem i) { device.invert_columns(i, slices); });
      each(items.tiles, [&](Index k, InvertItem i) { device.find_growth(k, i, tile.sums); });
    }
    for (std::size_t k = 0; k < panels.size(); ++k) device.decide_form(static_cast<Index>(k));
    each(items.strips, [&](Index, InvertItem i) { device.finish_strips(i, slices); });
    each(items.strips, [&](Index, InvertItem i) { device.keep_strips(i); });
    for (std::size_t k = 0; k < panels.size(); ++k) device.keep_form(static_cast<Index>(k));
    auto* const lows = reinterpret_cast<Real<Low<T>>*>(low.data());
    each(items.strips, [&](Index, InvertItem i) { device.lower_strips(i, lows); });
  }

  Buffer<DevicePanel> panels;
  InvertItems items;
  Buffer<T> value;
  Buffer<Low<T>> low;
  Buffer<double> row_sum, part, growth;
  Buffer<BlockForm> form;
  Buffer<Index> refused;
};

template <class T>
class DeviceInversions : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DeviceInversions, Scalars);

TYPED_TEST(DeviceInversions, GiveWhatTheHostDoes) {
  using T = TypeParam;
  for (const test::BlockCase& block_case : test::block_cases()) {
    if (!std::same_as<T, double> && block_case.name != "dense 70" && block_case.name != "dissected")
      continue;
    const auto a = test::case_matrix<T>(block_case.columns);
    for (const Method method : {Method::merge, Method::invert_diag, Method::invert_off}) {
      const test::Inverted<T> c(lower(a, {.outside = OutsideEntries::ignore}), method);
      const Emulated<T> e(c);
      test::expect_as_on_host(c, e.value, c.host.value, e.form, block_case.name);
      if (e.growth.empty()) continue;
      const double most = *std::max_element(e.growth.begin(), e.growth.end());
      EXPECT_NEAR(most, c.host.largest_growth, 1e-3 * most) << block_case.name;
    }
  }
}

// One and three strips of two, three and four tiles, one of them cut, and rows below.
TYPED_TEST(DeviceInversions, TakeWideAndTallPanels) {
  using T = TypeParam;
  for (const auto& [columns, rows] :
       {std::array{31, 200}, {32, 32}, {64, 65}, {65, 7}, {128, 3}, {150, 77}}) {
    test::Sets below = test::arrow(columns + rows, rows);
    for (Index j = 0; j < columns; ++j)
      for (Index i = j + 1; i < columns; ++i) below[j].insert(i);
    for (Index j = columns; j < columns + rows; ++j) below[j].clear();
    const auto a = test::case_matrix<T>(below);
    const test::Inverted<T> c(lower(a, {.outside = OutsideEntries::ignore}), Method::invert_off);
    ASSERT_EQ(c.plan.supernodes.width(0), columns);
    const Emulated<T> e(c);
    test::expect_as_on_host(c, e.value, c.host.value, e.form, std::to_string(columns));
  }
}

TYPED_TEST(DeviceInversions, KeepABlockThatCannotBeTrusted) {
  using T = TypeParam;
  for (const Index size : {20, 40, 150})
    for (const Method method : {Method::invert_diag, Method::invert_off}) {
      const auto a = test::with_a_bad_block<T>(size, 5);
      const test::Inverted<T> c(lower(a, {.outside = OutsideEntries::ignore}), method);
      ASSERT_EQ(c.host.uninverted_blocks, 1);
      const Emulated<T> e(c);
      test::expect_as_on_host(c, e.value, c.host.value, e.form, std::to_string(size));
    }
}

// In the strip that row w cuts, in separate strips, and in both.
TYPED_TEST(DeviceInversions, KeepABlockWhoseProductOverflows) {
  using T = TypeParam;
  for (const Index size : {20, 32, 40, 150})
    for (const Index rows : {5, 40}) {
      const auto a = test::with_a_product_that_overflows<T>(size, rows);
      const test::Inverted<T> c(lower(a, {.outside = OutsideEntries::ignore}), Method::invert_off);
      ASSERT_EQ(c.plan.supernodes.width(0), size);
      ASSERT_EQ(c.host.uninverted_blocks, 1);
      const Emulated<T> e(c);
      test::expect_as_on_host(c, e.value, c.host.value, e.form, std::to_string(size));
    }
}

template <class T>
class DeviceInversionsLow : public testing::Test {};
using Halved = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DeviceInversionsLow, Halved);

TYPED_TEST(DeviceInversionsLow, AreTheSameRounded) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::band(70, 70));
  for (const Method method : {Method::merge, Method::invert_diag, Method::invert_off}) {
    const test::Inverted<T> c(lower(a, {.outside = OutsideEntries::ignore}), method,
                              {.low_precision = true});
    const Emulated<T> e(c);
    test::expect_as_on_host(c, e.low, c.host.low, e.form, name(method));
    for (const Index column : e.refused) EXPECT_EQ(column, none_refused);
  }
}

TEST(DeviceInversionsGrowth, StaysNotANumberOnceItIs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(larger(2, 3), 3);
  EXPECT_TRUE(std::isnan(larger(nan, 3)));
  EXPECT_TRUE(std::isnan(larger(3, nan)));
}

// Diagonal entries that underflow or overflow in single precision.
TEST(DeviceInversionsRefusals, NameTheFirstColumn) {
  for (const double value : {1e-60, 1e60}) {
    auto a = test::case_matrix<double>(test::band(50, 50));
    for (const Index row : {37, 41})
      for (Offset p = a.start[row]; p < a.start[row + 1]; ++p)
        if (a.index[p] == row) a.value[p] = value;
    const test::Inverted<double> c(lower(a, {.outside = OutsideEntries::ignore}), Method::merge);
    EXPECT_EQ(Emulated<double>(c).refused[0], 37);
  }
}

}  // namespace
}  // namespace echelon
