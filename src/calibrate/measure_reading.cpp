// calibrate/measure_reading.cpp -- measures the read bandwidth of one core, alone and with all
// cores reading.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A round reads for a given time, not a given amount, so that threads that begin together
// also end together.  Each round continues in the working set where the round before ended: so a
// set larger than a cache is never read from its beginning only.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.hpp"
#include "base/read_sum.hpp"
#include "base/timer.hpp"
#include "calibrate/core_timer.hpp"
#include "calibrate/run_together.hpp"
#include "echelon/buffer.hpp"
#include "echelon/tools/calibrate.hpp"

namespace echelon {
namespace {

constexpr Offset smallest = Offset{64} << 10;   // bytes; a power of 4, like all sets
constexpr Offset look_bytes = Offset{1} << 20;  // read between two clock reads

// The memory of one core and its results.
class Reader {
 public:
  Reader(const CalibrateOptions& o, Offset largest) : options_(o) {
    for (Offset bytes = smallest; bytes <= std::max(largest, smallest); bytes *= 4)
      curve_.x.push_back(static_cast<double>(bytes));
    curve_.y.resize(curve_.x.size());
    values_.resize(static_cast<std::size_t>(curve_.x.back()) / sizeof(double));
    speed_.resize(static_cast<std::size_t>(o.rounds));
  }

  // Runs on the core that reads, which also touches the memory first.  Allocates nothing.
  template <class Start>
  void run(const Start& start) {
    std::fill(values_.begin(), values_.end(), 1.0);
    for (std::size_t k = 0; k < curve_.x.size(); ++k) {
      at_ = 0;
      start();
      read(static_cast<std::size_t>(curve_.x[k]) / sizeof(double));
      for (double& speed : speed_) {
        start();
        speed = read(static_cast<std::size_t>(curve_.x[k]) / sizeof(double));
      }
      curve_.y[k] = median(speed_);
    }
  }
  const Curve& curve() const { return curve_; }

 private:
  // Bytes per second of one round.
  double read(std::size_t set) {
    constexpr std::size_t piece = smallest / sizeof(double);
    double all = 0;
    Offset bytes = 0;
    const CoreTimer mine;
    const Timer timer;
    do {
      for (Offset seen = 0; seen < look_bytes; seen += smallest) {
        all += sum_(values_.data() + at_, piece);
        asm volatile("" ::: "memory");  // keeps the compiler from reusing the sum before
        at_ = at_ + piece < set ? at_ + piece : 0;
      }
      bytes += look_bytes;
    } while (timer.seconds() < options_.round_s);
    const double seconds = mine.seconds();
    kept_.store(all, std::memory_order_relaxed);  // keeps the compiler from removing the sums
    return static_cast<double>(bytes) / seconds;
  }

  const CalibrateOptions& options_;
  const ReadSum sum_ = read_sum();
  Buffer<double> values_;
  Curve curve_;
  std::vector<double> speed_;
  std::size_t at_ = 0;
  std::atomic<double> kept_ = 0;
};

}  // namespace

Curve measure_reading(const CalibrateOptions& o, const std::function<void()>& start) {
  Reader reader(o, o.largest);
  reader.run([&] {
    if (start) start();
  });
  return reader.curve();
}

Curve measure_shared_reading(const CalibrateOptions& o) {
  const Index threads = thread_count(o.threads);
  const Offset largest = std::min(o.largest, o.largest_shared / threads);
  std::vector<std::unique_ptr<Reader>> readers;
  readers.reserve(static_cast<std::size_t>(threads));
  for (Index t = 0; t < threads; ++t) readers.push_back(std::make_unique<Reader>(o, largest));
  SpinBarrier barrier;
  run_together(threads, [&](Index t) {
    readers[static_cast<std::size_t>(t)]->run([&] { barrier.arrive_and_wait(threads); });
  });
  Curve mean = readers[0]->curve();
  for (std::size_t k = 0; k < mean.x.size(); ++k) {
    mean.y[k] = 0;
    for (const auto& reader : readers) mean.y[k] += reader->curve().y[k] / threads;
  }
  return mean;
}

}  // namespace echelon
