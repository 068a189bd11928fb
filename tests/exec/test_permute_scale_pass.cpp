// tests/exec/test_permute_scale_pass.cpp -- the GPU's permutation and scaling, emulated on the CPU,
// against the host's.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

// First: it defines the emulation that device code uses.
#include "exec/emulated_block.hpp"
// (a separate include block)
#include "echelon/executor.hpp"
#include "exec/cuda/frame/permute_scale_pass.cuh"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

constexpr Index n = 37, count = 3;

template <class T>
class FramePasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FramePasses, Scalars);

std::vector<Index> shuffled(unsigned seed) {
  std::vector<Index> order(n);
  for (Index i = 0; i < n; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

template <class T>
Factors<T> everything() {
  Factors<T> f;
  f.n = n;
  f.row_order = shuffled(1);
  f.col_order = shuffled(2);
  f.row_scale = test::random_vector<Real<T>>(n, 3);
  f.col_scale = test::random_vector<Real<T>>(n, 4);
  f.diagonal = test::random_vector<T>(n, 5);
  return f;
}

template <class V>
const V* or_null(const std::vector<V>& v) {
  return v.empty() ? nullptr : v.data();
}

// Enters, divides and leaves, entry by entry.
template <class T>
std::vector<T> pass_through(const Factors<T>& f, const std::vector<T>& b, Layout layout) {
  const FramePass<DeviceScalar<T>, Real<T>> pass{
      n,
      or_null(f.row_order),
      or_null(f.col_order),
      or_null(f.row_scale),
      or_null(f.col_scale),
      reinterpret_cast<const DeviceScalar<T>*>(or_null(f.diagonal))};
  std::vector<T> y(b.size()), x(b.size());
  const Vectors<T> ys(y.data(), n, count);
  const auto between = frame_vectors(ys);
  for (Index k = 0; k < count; ++k)
    for (Index i = 0; i < n; ++i) {
      pass.enter(frame_vectors(Vectors<const T>(b.data(), n, count, 0, layout)), between, i, k);
      if (pass.diagonal != nullptr) pass.divide(between, i, k);
      EXPECT_TRUE(pass.leave(frame_vectors(Vectors<const T>(ys)),
                             frame_vectors(Vectors<T>(x.data(), n, count, 0, layout)), i, k));
    }
  return x;
}

template <class T>
std::vector<T> by_host(const Factors<T>& f, const std::vector<T>& b, Layout layout) {
  const auto frame = make_permute_scale(f, count);
  const auto space = frame->make_workspace();
  const auto y = frame->enter(*space, Vectors<const T>(b.data(), n, count, 0, layout), Op::none,
                              nullptr, nullptr);
  frame->divide(y, nullptr);
  std::vector<T> x(b.size());
  EXPECT_TRUE(frame->leave(*space, y, Vectors<T>(x.data(), n, count, 0, layout), Op::none, nullptr,
                           nullptr));
  return x;
}

TYPED_TEST(FramePasses, DoWhatTheHostDoes) {
  using T = TypeParam;
  const auto b = test::random_vector<T>(n * count);
  Factors<T> plain;
  plain.n = n;
  for (const Layout layout : {Layout::column_major, Layout::row_major}) {
    EXPECT_EQ(pass_through(plain, b, layout), b);
    const Factors<T> f = everything<T>();
    const auto x = pass_through(f, b, layout), expected = by_host(f, b, layout);
    for (std::size_t k = 0; k < x.size(); ++k)
      EXPECT_LE(std::abs(x[k] - expected[k]),
                8 * std::numeric_limits<Real<T>>::epsilon() * std::abs(expected[k]));
  }
}

// Any number of the caller's vectors, in both layouts.
TYPED_TEST(FramePasses, DivideAllVectorsInBothLayouts) {
  using T = TypeParam;
  constexpr Index some = 3, many = 2500;
  Factors<T> f;
  f.n = some;
  f.diagonal = {T(2), T(4), T(8)};
  const FramePass<DeviceScalar<T>, Real<T>> pass{
      some,    nullptr, nullptr,
      nullptr, nullptr, reinterpret_cast<const DeviceScalar<T>*>(f.diagonal.data())};
  for (const Layout layout : {Layout::column_major, Layout::row_major}) {
    const Offset leading = (layout == Layout::column_major ? some : many) + 1;
    std::vector<T> by_host(static_cast<std::size_t>(leading) * (many + some), T(8)),
        there = by_host, expected = there;
    const Vectors<T> y(there.data(), some, many, leading, layout);
    for (Index k = 0; k < many; ++k)
      for (Index i = 0; i < some; ++i)
        expected[i * y.step() + k * y.stride()] = T(8) / f.diagonal[i];
    const FrameGrid grid = frame_grid(some, many);
    for (unsigned row = 0; row < grid.rows; ++row)
      for (Index thread = 0; thread < static_cast<Index>(grid.blocks) * frame_threads; ++thread)
        FrameShare{thread, static_cast<Index>(row), static_cast<Index>(grid.rows)}.for_each(
            some, many, [&](Index i, Index k) { pass.divide(frame_vectors(y), i, k); });
    EXPECT_EQ(there, expected);
    make_permute_scale(f, 1)->divide(Vectors<T>(by_host.data(), some, many, leading, layout),
                                     nullptr);
    EXPECT_EQ(by_host, expected);
  }
}

TYPED_TEST(FramePasses, SeeWhatIsNotFinite) {
  using T = TypeParam;
  T bad = test::number<T>(1, std::numeric_limits<double>::infinity());
  if (!is_complex<T>) bad = T(std::numeric_limits<Real<T>>::quiet_NaN());
  const FramePass<DeviceScalar<T>, Real<T>> pass{1, nullptr, nullptr, nullptr, nullptr, nullptr};
  const Vectors<T> one(&bad, 1);
  EXPECT_FALSE(pass.leave(frame_vectors(Vectors<const T>(one)), frame_vectors(one), 0, 0));
}

}  // namespace
}  // namespace echelon
