// calibrate/measure_threads.cpp -- what it costs that threads wake, wait for one and wait for all.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A hop: two threads hand a number to and fro through a flag each, release and acquire
// (base/spin.hpp).  Neither flag is ever set back, and each waits for what the other does next, so
// both go through all hops.
#include "base/median.hpp"
#include "base/parallel.hpp"
#include "base/spin.hpp"
#include "base/timer.hpp"
#include "calibrate/run_together.hpp"
#include "echelon/calibrate.hpp"

namespace echelon {
namespace {

// Many short batches: one in which a thread lost its core for a while is one of many.
constexpr int batch = 16;
constexpr std::size_t batches = 128;  // of a round

// The median of batches, each by its mean; body(repeats) does so many.
template <class Body>
double time_rounds(const CalibrateOptions& o, const Body& body) {
  std::vector<double> seconds(batches * static_cast<std::size_t>(o.rounds));
  body(batch);
  for (double& one : seconds) {
    const Timer timer;
    body(batch);
    one = timer.seconds() / batch;
  }
  return median(seconds);
}

double measure_wake(const CalibrateOptions& o, Index threads) {
  std::atomic<int> kept = 0;
  return time_rounds(o, [&](int repeats) {
    for (int k = 0; k < repeats; ++k) {
      int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
      sum += 1;
      kept.store(sum, std::memory_order_relaxed);
    }
  });
}

// What thread 0 finds while all threads run the same rounds.
template <class Body>
double time_team(const CalibrateOptions& o, Index threads, const Body& body) {
  std::vector<double> seconds(batches * static_cast<std::size_t>(o.rounds));
  run_together(threads, [&](Index thread) {
    body(thread, batch);
    for (double& one : seconds) {
      const Timer timer;
      body(thread, batch);
      if (thread == 0) one = timer.seconds() / batch;
    }
  });
  return median(seconds);
}

struct alignas(64) Flag {
  std::atomic<Offset> value{0};
};

double measure_hop(const CalibrateOptions& o) {
  Flag flag[2];
  return time_team(o, 2,
                   [&](Index thread, int repeats) {
                     std::atomic<Offset>&mine = flag[thread].value, &other = flag[1 - thread].value;
                     for (int k = 0; k < repeats; ++k) {
                       const Offset turn = mine.load(std::memory_order_relaxed) + 1;
                       if (thread == 0) mine.store(turn, std::memory_order_release);
                       spin_until([&] { return other.load(std::memory_order_acquire) == turn; });
                       if (thread == 1) mine.store(turn, std::memory_order_release);
                     }
                   }) /
         2;
}

double measure_barrier(const CalibrateOptions& o, Index threads) {
  SpinBarrier barrier;
  return time_team(o, threads, [&](Index, int repeats) {
    for (int k = 0; k < repeats; ++k) barrier.arrive_and_wait(threads);
  });
}

}  // namespace

ThreadCost measure_threads(const CalibrateOptions& o) {
  const Index threads = thread_count(o.threads);
  if (threads < 2) return {};
  ThreadCost cost;
  cost.hop_s = measure_hop(o);
  cost.barrier_s = measure_barrier(o, threads);
  cost.wake_s = measure_wake(o, threads);  // last: a team that has been woken goes on polling
  return cost;
}

}  // namespace echelon
