// tests/base/test_pool.cpp -- jobs end with any number of helpers, late ones, or none.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/cpu_mask.hpp"
#include "base/parallel.hpp"
#include "base/pool.hpp"
#include "base/spin.hpp"
#include "base/timer.hpp"

namespace echelon {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool under_thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool under_thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool under_thread_sanitizer = false;
#endif

// Sets the hook of the pool during its lifetime.
class Hook {
 public:
  explicit Hook(void (*hook)(PoolMoment)) { set_pool_hook(hook); }
  ~Hook() { set_pool_hook(nullptr); }
};

void nap() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

// Threads claim items [0, 1000); each must be claimed once.
void expect_all_done(Index threads) {
  std::vector<std::atomic<int>> taken(1000);
  std::atomic<int> next{0};
  run_with_help(threads, [&](Index member) {
    EXPECT_GE(member, 0);
    EXPECT_LT(member, threads);
    for (int k; (k = next++) < 1000;) ++taken[k];
  });
  for (const auto& count : taken) ASSERT_EQ(count, 1);
}

TEST(Pool, DoesEverythingOnce) {
  for (int repeat = 0; repeat < 200; ++repeat)
    for (const Index threads : {1, 2, 3, 8}) expect_all_done(threads);
}

TEST(Pool, WaitsForHelpUntilItComesOrPatienceEnds) {
  EXPECT_TRUE(wait_for_help(1, 0));
  static std::atomic<bool> held;
  held = true;
  const Hook hook([](PoolMoment moment) {
    if (moment == PoolMoment::seen) spin_until([] { return !held.load(); });
  });
  const Timer timer;
  EXPECT_FALSE(wait_for_help(2, 0.02));
  EXPECT_GE(timer.seconds(), 0.02);
  std::thread release([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    held = false;
  });
  EXPECT_TRUE(wait_for_help(2, 60));
  release.join();
}

TEST(Pool, GivesEachThreadInsideANumberOfItsOwn) {
  std::atomic<unsigned> inside{0};
  for (int repeat = 0; repeat < 300; ++repeat)
    run_with_help(4, [&](Index member) {
      EXPECT_EQ(inside.fetch_or(1U << member) & (1U << member), 0U);
      for (int k = 0; k < 100; ++k) cpu_pause();
      inside.fetch_and(~(1U << member));
    });
  EXPECT_EQ(inside, 0U);
}

TEST(Pool, HelpersCome) {
  std::atomic<Index> here{0};
  run_with_help(3, [&](Index member) {
    ++here;
    if (member == 0) spin_until([&] { return here == 3; });
  });
  EXPECT_EQ(here, 3);
}

// Workers may use the cores of the whole process, not only that of the main thread.
TEST(Pool, HelpsACallerThatIsBoundToItsCore) {
  const CpuMask all = CpuMask::of(0);
  if (all.count() < 2) GTEST_SKIP() << "one core: nobody can help";
  std::atomic<bool> end{false};
  std::thread bystander([&] {
    while (!end) nap();
  });
  all.only(0).bind_this_thread();
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::atomic<Index> here{0};
    run_with_help(2, [&](Index member) {
      ++here;
      if (member == 0) spin_until([&] { return here == 2; });
    });
    EXPECT_EQ(here, 2);
  }
  all.bind_this_thread();
  end = true;
  bystander.join();
}

std::atomic<bool> may_enter{false};

TEST(Pool, NeverWaitsForAWorkerThatHasNotEntered) {
  run_with_help(4, [](Index) {});
  may_enter = false;
  {
    const Hook hook([](PoolMoment moment) {
      if (moment == PoolMoment::seen) spin_until([] { return may_enter.load(); });
    });
    for (int repeat = 0; repeat < 100; ++repeat)
      expect_all_done(4);  // no worker can enter: no hang
    may_enter = true;
  }
  expect_all_done(4);
}

TEST(Pool, LateWorkersTouchNothingOfAJobThatIsClosed) {
  const Hook hook([](PoolMoment moment) {
    if (moment == PoolMoment::seen) nap();
  });
  for (int repeat = 0; repeat < 200; ++repeat) {
    auto alive = std::make_unique<std::atomic<bool>>(true);  // a sanitizer detects use after free
    run_with_help(3, [&](Index) {
      for (int k = 0; k < 50 * (repeat % 20); ++k) cpu_pause();
      EXPECT_TRUE(*alive);
    });
    alive->store(false);
  }
}

TEST(Pool, WaitsForAWorkerThatHasEntered) {
  const Hook hook([](PoolMoment moment) {
    if (moment == PoolMoment::entered) nap();
  });
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::atomic<int> calls{0}, ended{0};
    run_with_help(3, [&](Index) {
      ++calls;
      for (int k = 0; k < 50 * (repeat % 20); ++k) cpu_pause();
      ++ended;
    });
    EXPECT_EQ(calls, ended);
    EXPECT_GE(calls, 1);
  }
}

// A sleep counts as time off the core.
TEST(Pool, TellsAWorkerThatItLostItsCore) {
  std::atomic<Index> here{0};
  run_with_help(2, [&](Index member) {
    ++here;
    if (member == 0) spin_until([&] { return here == 2; });
    for (int k = 0; k < 5; ++k) nap();
    EXPECT_EQ(lost_core(), member != 0);
  });
  EXPECT_EQ(here, 2);
  EXPECT_FALSE(lost_core());
}

// As the caller of its own job, a worker must complete all unclaimed work.
TEST(Pool, AWorkerThatLostItsCoreEndsTheJobsItOpens) {
  std::atomic<Index> here{0}, done{0};
  run_with_help(2, [&](Index member) {
    ++here;
    if (member == 0) return spin_until([&] { return here == 2; });
    for (int k = 0; k < 5; ++k) nap();
    EXPECT_TRUE(lost_core());
    for (const Index threads : {1, 2}) parallel_items(100, threads, [&](Index, Index) { ++done; });
    EXPECT_TRUE(lost_core());
  });
  EXPECT_EQ(done, 200);
}

TEST(Pool, ServesManyCallersAndJobsInsideJobs) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 40; ++caller)  // more than the number of slots
    callers.emplace_back([] {
      for (int repeat = 0; repeat < 20; ++repeat)
        run_with_help(3, [](Index) { expect_all_done(2); });
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(Pool, AForkedChildHasWorkersOfItsOwn) {
  if (under_thread_sanitizer) GTEST_SKIP() << "it lets no child of fork() start threads";
  expect_all_done(3);
  ASSERT_GE(pool_workers(), 2);
  const pid_t child = fork();
  if (child == 0) {
    const bool fresh = pool_workers() == 0;
    std::atomic<Index> here{0};
    run_with_help(3, [&](Index member) {
      ++here;
      if (member == 0) spin_until([&] { return here == 3; });
    });
    _exit(fresh && here == 3 && pool_workers() == 2 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  expect_all_done(3);
}

}  // namespace
}  // namespace echelon
