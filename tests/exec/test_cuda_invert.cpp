// tests/exec/test_cuda_invert.cpp -- panels inverted on a GPU against those of pack_blocks; skipped
// without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "exec/cuda/panels/cuda_invert.hpp"
#include "exec/invert_checks.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

template <class T>
Buffer<T> download(const DeviceArray<T>& from) {
  Buffer<T> to(from.size());
  if (from.size() > 0)
    check_cuda(cudaMemcpy(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost), "copy");
  return to;
}

// The device's panels and report, in the host's form.
template <class T>
BlockValues<T> invert(CudaInverter<T>& inverter, const test::Inverted<T>& c) {
  DeviceValues<T> device;
  BlockValues<T> found;
  inverter.load(c.plan, c.fill, 0, nullptr);
  inverter.run(c.wanted, c.o, device, found, nullptr);
  EXPECT_EQ(found.form, download(device.form));
  found.value = download(device.value);
  found.low = download(device.low);
  return found;
}

template <class T>
void expect_inverted(const test::Inverted<T>& c, const std::string& name) {
  CudaInverter<T> inverter(c.plan);
  const BlockValues<T> found = invert(inverter, c);
  if (c.host.low.empty())
    test::expect_as_on_host(c, found.value, c.host.value, found.form, name);
  else
    test::expect_as_on_host(c, found.low, c.host.low, found.form, name);
  EXPECT_EQ(found.uninverted_blocks, c.host.uninverted_blocks) << name;
  EXPECT_EQ(found.all_inverse, c.host.all_inverse) << name;
  EXPECT_NEAR(found.largest_growth, c.host.largest_growth, 1e-3 * found.largest_growth) << name;

  const BlockValues<T> again = invert(inverter, c);
  EXPECT_EQ(again.value, found.value) << name << ": other bits the second time";
  EXPECT_EQ(again.low, found.low) << name << ": other bits the second time";
}

template <class T>
class CudaInverts : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices() == 0) GTEST_SKIP() << "no CUDA device: nothing on the GPU was tested";
  }
};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CudaInverts, Scalars);

TYPED_TEST(CudaInverts, EveryCase) {
  using T = TypeParam;
  for (const test::BlockCase& block_case : test::block_cases()) {
    const auto a = test::case_matrix<T>(block_case.columns);
    for (const Method method :
         {Method::merge, Method::invert_diag, Method::invert_off, Method::tree})
      for (const bool low : {false, true})
        expect_inverted(test::Inverted<T>(upper(a, {.outside = OutsideEntries::ignore}), method,
                                          {.low_precision = low}),
                        block_case.name);
  }
}

TYPED_TEST(CudaInverts, ButKeepsWhatCannotBeTrusted) {
  using T = TypeParam;
  for (const Index size : {20, 40, 150})
    for (const Method method : {Method::invert_diag, Method::invert_off}) {
      const auto a = test::with_a_bad_block<T>(size, 5);
      const test::Inverted<T> c(lower(a, {.outside = OutsideEntries::ignore}), method);
      ASSERT_EQ(c.host.uninverted_blocks, 1);
      expect_inverted(c, std::to_string(size));
    }
}

// The widest panels, many strips below them, and hundreds of narrow panels.
TYPED_TEST(CudaInverts, LargePanels) {
  using T = TypeParam;
  test::Sets columns = test::arrow(1600, 700);
  for (Index j = 0; j < 500; ++j)
    for (Index i = j + 1; i < 500; ++i) columns[j].insert(i);
  const auto a = test::case_matrix<T>(columns);
  expect_inverted(
      test::Inverted<T>(lower(a, {.outside = OutsideEntries::ignore}), Method::invert_off),
      "large");
}

TEST(CudaInvertsNot, WhatSinglePrecisionCannotHold) {
  if (cuda_devices() == 0) GTEST_SKIP() << "no CUDA device: nothing on the GPU was tested";
  auto a = test::case_matrix<double>(test::band(50, 50));
  for (Offset p = a.start[37]; p < a.start[38]; ++p)
    if (a.index[p] == 37) a.value[p] = 1e60;
  const test::Inverted<double> c(upper(a, {.outside = OutsideEntries::ignore}), Method::merge);
  CudaInverter<double> inverter(c.plan);
  DeviceValues<double> device;
  BlockValues<double> report;
  inverter.load(c.plan, c.fill, 0, nullptr);
  const auto refused = test::refusal(
      [&] { inverter.run(BlockForm::triangle, {.low_precision = true}, device, report, nullptr); });
  EXPECT_EQ(refused,
            test::Refusal(ErrorCode::not_finite,
                          "single precision cannot hold row or column 37 of the triangle, or its "
                          "inverse; keep the values in double precision"));
}

TEST(CudaInvertsNot, WithoutADevice) {
  if (cuda_devices() > 0) GTEST_SKIP() << "there is a CUDA device";
  const auto a = test::case_matrix<double>(test::band(5, 2));
  const test::Inverted<double> c(lower(a, {.outside = OutsideEntries::ignore}), Method::tree);
  EXPECT_EQ(test::refusal([&] { CudaInverter<double> inverter(c.plan); }).code,
            ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon
