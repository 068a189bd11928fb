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
constexpr double longest = 10;        // rounds' time; on a crowded machine fewer batches are enough

// Times batches until there are enough of them, or it has been long enough.
class Batches {
 public:
  explicit Batches(const CalibrateOptions& o)
      : seconds_(batches * static_cast<std::size_t>(o.rounds)),
        limit_s_(longest * o.rounds * o.round_s) {}

  // Returns whether there is to be another one.
  bool add(double seconds) {
    seconds_[count_++] = seconds / batch;
    return count_ < seconds_.size() && since_.seconds() < limit_s_;
  }
  double median_s() { return median(std::span(seconds_).first(count_)); }

 private:
  std::vector<double> seconds_;
  double limit_s_;
  std::size_t count_ = 0;
  Timer since_;
};

// A job that the calling thread does not leave before all helpers have come.
double measure_wake(const CalibrateOptions& o, Index threads) {
  constexpr double too_long_s = 1e-3;  // for a helper that has no core
  Batches all(o);
  for (bool more = true; more;) {
    const Timer timer;
    for (int k = 0; k < batch; ++k) {
      std::atomic<Index> here = 0;
      run_with_help(threads, [&](Index member) {
        ++here;
        const Timer waiting;
        if (member == 0)
          spin_until([&] { return here == threads || waiting.seconds() > too_long_s; });
      });
    }
    more = all.add(timer.seconds());
  }
  return all.median_s();
}

// Batches of body(thread), as thread 0 finds them; between two of them it tells all whether there
// is another.
template <class Body>
double time_team(const CalibrateOptions& o, Index threads, const Body& body) {
  Batches all(o);
  SpinBarrier meet;
  bool more = true;
  run_together(threads, [&](Index thread) {
    for (bool go_on = true; go_on;) {
      meet.arrive_and_wait(threads);
      const Timer timer;
      for (int k = 0; k < batch; ++k) body(thread);
      if (thread == 0) more = all.add(timer.seconds());
      meet.arrive_and_wait(threads);
      go_on = more;
    }
  });
  return all.median_s();
}

struct alignas(64) Flag {
  std::atomic<Offset> value{0};
};

double measure_hop(const CalibrateOptions& o) {
  Flag flag[2];
  const double both_ways = time_team(o, 2, [&](Index thread) {
    std::atomic<Offset>&mine = flag[thread].value, &other = flag[1 - thread].value;
    const Offset turn = mine.load(std::memory_order_relaxed) + 1;
    if (thread == 0) mine.store(turn, std::memory_order_release);
    spin_until([&] { return other.load(std::memory_order_acquire) == turn; });
    if (thread == 1) mine.store(turn, std::memory_order_release);
  });
  return both_ways / 2;
}

double measure_barrier(const CalibrateOptions& o, Index threads) {
  SpinBarrier barrier;
  return time_team(o, threads, [&](Index) { barrier.arrive_and_wait(threads); });
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
