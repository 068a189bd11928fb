// tests/base/test_cpu_mask.cpp -- masks of cores, also for machines with more cores than a
// cpu_set_t holds.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/cpu_mask.hpp"

namespace echelon {
namespace {

void add(CpuMask& mask, int core) {
  mask.words[core / CpuMask::word_bits] |= CpuMask::Word{1} << (core % CpuMask::word_bits);
}

TEST(CpuMask, HasTheCoresOfThisProcess) {
  const Index count = CpuMask::of(0).count();
  EXPECT_GE(count, 1);
  EXPECT_LE(count, static_cast<Index>(std::thread::hardware_concurrency()));
}

TEST(CpuMask, CountsAndFindsCoresBeyondTheFirst1024) {
  CpuMask mask;
  for (const int core : {3, 1023, 1024, 5000, 65535}) add(mask, core);
  EXPECT_EQ(mask.count(), 5);
  for (const auto& [k, core] : {std::pair{0, 3}, {2, 1024}, {3, 5000}, {4, 65535}}) {
    CpuMask one;
    add(one, core);
    EXPECT_EQ(mask.only(k).words, one.words) << core;
  }
  EXPECT_EQ(mask.only(5).count(), 0);
  EXPECT_EQ(mask.without(5000).count(), 4);
  EXPECT_EQ(mask.without(5000).only(3).words, mask.only(4).words);
}

TEST(CpuMask, BindsAThreadToOneOfItsCores) {
  std::thread([] {
    const CpuMask all = CpuMask::of(0), one = all.only(all.count() - 1);
    ASSERT_TRUE(one.bind_this_thread());
    EXPECT_EQ(CpuMask::of(0).words, one.words);
  }).join();
}

// Like OpenMP with OMP_PROC_BIND: each thread of the program is bound to its own core.
TEST(CpuMask, OfAProcessIsThatOfAllItsThreads) {
  const CpuMask all = CpuMask::of(0);
  if (all.count() < 2) GTEST_SKIP() << "one core: there are no two to bind threads to";
  std::atomic<int> step{0};
  std::thread other([&] {
    all.only(1).bind_this_thread();
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  all.only(0).bind_this_thread();
  const CpuMask process = CpuMask::of_process();
  all.bind_this_thread();
  step = 2;
  other.join();
  EXPECT_GE(process.count(), 2);
}

TEST(CpuMask, OfNoCoresBindsNobody) { EXPECT_FALSE(CpuMask().bind_this_thread()); }

}  // namespace
}  // namespace echelon
