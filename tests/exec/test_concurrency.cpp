// tests/exec/test_concurrency.cpp -- many solves on one plan, concurrent callers, teams of any
// size: same solutions, no hang.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <thread>

#include "base/pool.hpp"
#include "base/spin.hpp"
#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr Method threaded_methods[] = {
    Method::level_row,   Method::level_column, Method::element_row, Method::element_column,
    Method::superstep,   Method::stream,       Method::team,        Method::merge,
    Method::invert_diag, Method::invert_off,   Method::spmv,        Method::dynamic,
    Method::invert_full, Method::tree};

Options options_for(Method method, Index threads) {
  Options o;
  o.method = method;
  o.cpu.threads = threads;
  return o;
}

TEST(Concurrency, AHundredSolvesInARowAllAgree) {
  const auto a = generate<double>("laplace2d:24x25:9");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : threaded_methods) {
    const Solver<double> solver(t, options_for(method, 4));
    for (unsigned repeat = 0; repeat < 100; ++repeat) {
      const auto b = test::random_vector<double>(600, repeat);
      ASSERT_LE(test::backward_error(t, b, solver.solve(b)), 4) << name(method);
    }
  }
}

TEST(Concurrency, ATeamSmallerThanThePlanDoesAllTheWork) {
  const auto a = generate<double>("laplace3d:8x9x10:7");
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<double>(720);
  for (const Method method : threaded_methods) {
    const Solver<double> solver(t, options_for(method, 8));
    for (const Index threads : {1, 2, 3, 5, 8, 100}) {
      std::vector<double> x(720);
      solver.solve(std::span<const double>(b), x, {.threads = threads});
      EXPECT_LE(test::backward_error(t, b, x), 4) << name(method) << " on " << threads;
    }
  }
}

TEST(Concurrency, CallersWithTheirOwnWorkspacesDoNotDisturbEachOther) {
  const auto a = generate<double>("laplace2d:20x30:5");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : threaded_methods) {
    const Solver<double> solver(t, options_for(method, 2));
    std::vector<double> worst(3, 0);
    std::vector<std::thread> callers;
    for (unsigned caller = 0; caller < 3; ++caller)
      callers.emplace_back([&, caller] {
        auto workspace = solver.make_workspace();
        for (unsigned repeat = 0; repeat < 20; ++repeat) {
          const auto b = test::random_vector<double>(600, 100 * caller + repeat);
          std::vector<double> x(600);
          solver.solve(workspace, Vectors<const double>(b.data(), 600),
                       Vectors<double>(x.data(), 600));
          worst[caller] = std::max(worst[caller], test::backward_error(t, b, x));
        }
      });
    for (auto& caller : callers) caller.join();
    for (const double error : worst) EXPECT_LE(error, 4) << name(method);
  }
}

// Changes how workers enter and leave jobs, during its lifetime.
class WorkersAre {
 public:
  enum Like { held_back, late, slow, leaving };  // leaving: they lose their core and leave
  explicit WorkersAre(Like like) {
    kind = like;
    set_pool_hook(delay);
  }
  ~WorkersAre() {
    set_pool_hook(nullptr);
    kind = late;
  }

 private:
  static void delay(PoolMoment moment) {
    if (moment == PoolMoment::seen) spin_until([] { return kind != held_back; });
    if (kind == leaving && moment == PoolMoment::entered)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if ((kind == late && moment == PoolMoment::seen) ||
        (kind == slow && moment == PoolMoment::entered))
      std::this_thread::sleep_for(std::chrono::microseconds(moments++ % 7 * 20));
  }
  static inline std::atomic<Like> kind{late};
  static inline std::atomic<unsigned> moments{0};
};

template <class T>
void expect_all_methods_to_end(WorkersAre::Like like, Index threads, int repeats) {
  const auto a = generate<T>("laplace2d:60x61:9");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<T>(a.rows);
  for (const Method method : threaded_methods) {
    const Solver<T> solver(t, options_for(method, threads));
    const WorkersAre hook(like);
    for (int repeat = 0; repeat < repeats; ++repeat)
      ASSERT_LE(test::backward_error(t, b, solver.solve(b)), 4) << name(method);
  }
}

TEST(Concurrency, TheCallerAloneEndsEverySolveThatWasMeantForMany) {
  expect_all_methods_to_end<double>(WorkersAre::held_back, 4, 5);
  expect_all_methods_to_end<std::complex<float>>(WorkersAre::held_back, 7, 2);
}

TEST(Concurrency, WorkersThatComeAtAnyTimeDoNoHarm) {
  expect_all_methods_to_end<double>(WorkersAre::late, 4, 30);
  expect_all_methods_to_end<double>(WorkersAre::slow, 4, 30);
  expect_all_methods_to_end<double>(WorkersAre::leaving, 4, 10);
}

TEST(Concurrency, ADeterministicMethodGivesTheSameBitsWhoeverHelps) {
  const auto a = generate<double>("laplace3d:14x15x16:7");
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<double>(a.rows);
  for (const Method method : threaded_methods) {
    if (!is_deterministic(method)) continue;
    const Solver<double> solver(t, options_for(method, 4));
    const std::vector<double> x = solver.solve(b);
    for (const auto like :
         {WorkersAre::held_back, WorkersAre::late, WorkersAre::slow, WorkersAre::leaving}) {
      const WorkersAre hook(like);
      for (int repeat = 0; repeat < 10; ++repeat) ASSERT_EQ(solver.solve(b), x) << name(method);
    }
  }
}

TEST(Concurrency, TheSolversOwnWorkspaceServesOneCallerAtATime) {
  const auto a = generate<double>("laplace2d:300x300:5");
  const Solver<double> solver(lower(a, {.outside = OutsideEntries::ignore}),
                              options_for(Method::serial, 1));
  std::atomic<int> solved{0}, refused{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      const std::vector<double> b(90000, 1.0);
      std::vector<double> x(90000);
      for (int repeat = 0; repeat < 20; ++repeat) {
        try {
          solver.solve(std::span<const double>(b), x);
          ++solved;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::bad_argument);
          ++refused;
        }
      }
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(solved + refused, 80);
  EXPECT_GT(solved, 0);
}

}  // namespace
}  // namespace echelon
