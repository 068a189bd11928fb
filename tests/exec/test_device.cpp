// tests/exec/test_device.cpp -- the interface to a GPU: report, memory, clock; and the errors
// without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "support/device.hpp"

namespace echelon {
namespace {

using test::refusal;
class Device : public test::OnDevice {};

std::vector<double> numbers(std::size_t size) {
  std::vector<double> v(size);
  std::iota(v.begin(), v.end(), 1.0);
  return v;
}

TEST_F(Device, TellsWhatItIs) {
  const DeviceReport d = find_device();
  EXPECT_FALSE(d.name.empty());
  EXPECT_NE(d.compute_capability.find('.'), std::string::npos);
  EXPECT_NE(d.driver.find('.'), std::string::npos);
  EXPECT_GT(d.memory_bytes, 0);
  EXPECT_LE(d.free_bytes, d.memory_bytes);
  EXPECT_GT(d.multiprocessors, 0);
  EXPECT_GT(measure_copy_bandwidth(), 1e9);
}

TEST_F(Device, KeepsWhatItIsGiven) {
  const auto host = numbers(1000);
  DeviceVector<double> v{std::span<const double>(host)};
  EXPECT_TRUE(is_on_device(v.data()));
  EXPECT_FALSE(is_on_device(host.data()));
  EXPECT_EQ(v.to_host(), host);
  const DeviceVector<double> moved = std::move(v);
  EXPECT_EQ(moved.to_host(), host);
  EXPECT_EQ(v.size(), 0u);  // NOLINT: specified after a move
  EXPECT_TRUE(v.to_host().empty());
}

TEST_F(Device, RefusesWhatDoesNotFit) {
  DeviceVector<double> v(3);
  const auto two = numbers(2);
  EXPECT_EQ(refusal([&] { v.load(two); }).code, ErrorCode::bad_argument);
  const auto large = static_cast<std::size_t>(find_device().memory_bytes);
  EXPECT_EQ(refusal([&] { DeviceVector<double>{large}; }).code, ErrorCode::out_of_memory);
}

TEST_F(Device, TimesEveryCall) {
  int calls = 0;
  const auto seconds = time_on_device(4, 2, [&](void* stream) {
    EXPECT_NE(stream, nullptr);
    ++calls;
  });
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(seconds.size(), 4u);
  for (const double s : seconds) EXPECT_GE(s, 0);
  calls = 0;
  EXPECT_EQ(time_graph(3, 1, [&](void*) { ++calls; }).size(), 3u);
  EXPECT_EQ(calls, 1) << "captured once";
  EXPECT_EQ(refusal([] {
              time_graph(1, 0, [](void*) { throw Error(ErrorCode::bad_argument, "no"); });
            }).text,
            "no");
}

TEST_F(Device, TellsKindsOfWorkApart) {
  DeviceMarks marks(4);
  std::vector<double> seconds;
  for (int time = 0; time < 2; ++time) {  // marks start anew
    time_on_device(1, 0, [&](void* stream) {
      marks.mark(1, stream);
      marks.mark(-1, stream);
      marks.mark(1, stream);
      marks.mark(-1, stream);
    });
    EXPECT_EQ(refusal([&] { marks.mark(0, nullptr); }).code, ErrorCode::bad_argument);
    seconds = marks.take(2);
    ASSERT_EQ(seconds.size(), 2u);
    EXPECT_EQ(seconds[0], 0);
    EXPECT_GE(seconds[1], 0);
  }
  EXPECT_EQ(marks.take(1), std::vector<double>(1, 0.0)) << "nothing was marked since";
}

TEST(NoDevice, IsSaid) {
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  const auto nothing = [](void*) {};
  EXPECT_EQ(refusal([] { find_device(); }).code, ErrorCode::backend_missing);
  EXPECT_EQ(refusal([] { DeviceVector<float>{3}; }).code, ErrorCode::backend_missing);
  EXPECT_EQ(refusal([] { measure_copy_bandwidth(); }).code, ErrorCode::backend_missing);
  EXPECT_EQ(refusal([&] { time_on_device(1, 0, nothing); }).code, ErrorCode::backend_missing);
  EXPECT_EQ(refusal([&] { time_graph(1, 0, nothing); }).code, ErrorCode::backend_missing);
  EXPECT_EQ(refusal([] { DeviceMarks marks(1); }).code, ErrorCode::backend_missing);
  const int here = 0;
  EXPECT_FALSE(is_on_device(&here));
  EXPECT_EQ(DeviceVector<float>().size(), 0u);
}

}  // namespace
}  // namespace echelon
