// tests/base/test_spin.cpp -- the barrier lets no thread pass early, also with more threads than
// cores.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/spin.hpp"

namespace echelon {
namespace {

TEST(SpinBarrier, EveryoneSeesWhatTheOthersWroteBefore) {
  constexpr int team = 5, rounds = 200;
  SpinBarrier barrier;
  std::vector<int> written(team, -1);
  std::vector<int> late(team, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < team; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < rounds; ++round) {
        written[t] = round;
        barrier.arrive_and_wait(team);
        for (int u = 0; u < team; ++u) late[t] += written[u] != round;
        barrier.arrive_and_wait(team);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(late, std::vector<int>(team, 0));
}

TEST(SpinUntil, ReturnsWhenAnotherThreadSaysSo) {
  std::atomic<bool> go{false};
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    go.store(true, std::memory_order_release);
  });
  spin_until([&] { return go.load(std::memory_order_acquire); });
  other.join();
  EXPECT_TRUE(go.load());
}

}  // namespace
}  // namespace echelon
