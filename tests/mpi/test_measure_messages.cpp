// tests/mpi/test_measure_messages.cpp -- a ping-pong by each engine: all sizes, results on all
// ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <thread>

#include "base/timer.hpp"
#include "echelon/mpi.hpp"
#include "mpi/rank_problem.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

constexpr PingPongOptions quick{.largest = 4096, .repeats = 3, .timeout_s = 30};

void expect_times(const MessageTimes& t) {
  EXPECT_EQ(t.other, 1);  // tests run on one node
  EXPECT_TRUE(t.same_node);
  ASSERT_EQ(t.bytes.size(), 10U);
  EXPECT_EQ(t.bytes.front(), 8);
  EXPECT_EQ(t.bytes.back(), 4096);
  for (std::size_t k = 0; k < t.bytes.size(); ++k) {
    EXPECT_EQ(t.bytes[k], 8 * (1 << k));
    EXPECT_GT(t.seconds[k], 1e-8);
    EXPECT_LT(t.seconds[k], 1);
    EXPECT_GE(t.send_s[k], 0);
    EXPECT_GE(t.receive_s[k], 0);
  }
}

TEST(MeasureMessages, GivesHalfARoundTripForEachSize) {
  if (size() < 2) GTEST_SKIP() << "one rank has nobody to send to";
  for (const Engine engine : {Engine::payload, Engine::counter, Engine::two_sided}) {
    const std::vector<MessageTimes> all = measure_messages(MPI_COMM_WORLD, engine, quick);
    ASSERT_EQ(all.size(), 1U) << name(engine);
    expect_times(all[0]);
    std::vector<double> of_root = all[0].seconds;
    MPI_Bcast(of_root.data(), static_cast<int>(of_root.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_EQ(of_root, all[0].seconds);
  }
}

TEST(MeasureMessages, RefusesWhatIsNoPingPong) {
  const auto alone = refusal([] { measure_messages(MPI_COMM_SELF, Engine::payload); });
  EXPECT_EQ(alone.code, ErrorCode::bad_argument);
  if (size() < 2) return;
  PingPongOptions none = quick;
  none.repeats = 0;
  const auto never = refusal([&] { measure_messages(MPI_COMM_WORLD, Engine::payload, none); });
  EXPECT_EQ(never.code, ErrorCode::bad_argument);
  PingPongOptions timeless = quick;
  timeless.timeout_s = std::numeric_limits<double>::quiet_NaN();
  const auto nan = refusal([&] { measure_messages(MPI_COMM_WORLD, Engine::payload, timeless); });
  EXPECT_EQ(nan.code, ErrorCode::bad_argument);
}

TEST(WaitAsleep, WaitsForTheLastOne) {
  MPI_Barrier(MPI_COMM_WORLD);
  const Timer timer;
  if (rank() == size() - 1) std::this_thread::sleep_for(std::chrono::milliseconds(60));
  wait_asleep(MPI_COMM_WORLD);
  EXPECT_GT(timer.seconds(), 0.03);
}

}  // namespace
}  // namespace echelon::test
