// calibrate/measure_threads.cpp -- measures the time to wake the thread pool, to signal one thread,
// and to pass a barrier.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A hop: two threads pass a number back and forth, each through its own flag, with
// release and acquire (base/spin.hpp).  No flag is ever reset.  Each thread waits only for the
// other's next step, so both complete all hops.
#include "base/parallel.hpp"
#include "base/spin.hpp"
#include "base/timer.hpp"
#include "calibrate/run_together.hpp"
#include "echelon/tools/calibrate.hpp"

namespace echelon {
namespace {

// Many short batches: a batch in which a thread loses its core does not change the median.
constexpr int batch = 16;
constexpr std::size_t batches = 128;  // per round
constexpr double longest = 10;        // time limit, in rounds, for a crowded machine

// Collects times of batches until there are enough or the time limit is reached.
class Batches {
 public:
  explicit Batches(const CalibrateOptions& o)
      : seconds_(batches * static_cast<std::size_t>(o.rounds)),
        limit_s_(longest * o.rounds * o.round_s) {}

  // Returns whether another batch is needed.
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

// Runs a job that the calling thread leaves only when all helpers have entered.
void wake_once(Index threads) {
  constexpr double too_long_s = 1e-3;  // limit for a helper without a core
  std::atomic<Index> here = 0;
  run_with_help(threads, [&](Index member) {
    ++here;
    const Timer waiting;
    if (member == 0) spin_until([&] { return here == threads || waiting.seconds() > too_long_s; });
  });
}

double measure_wake(const CalibrateOptions& o, Index threads) {
  Batches all(o);
  for (bool more = true; more;) {
    const Timer timer;
    for (int k = 0; k < batch; ++k) wake_once(threads);
    more = all.add(timer.seconds());
  }
  return all.median_s();
}

// Times batches of body(thread) on thread 0; between two batches thread 0 publishes whether another
// one follows.
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
  cost.wake_s = measure_wake(o, threads);  // last: a woken team keeps polling
  return cost;
}

}  // namespace echelon
