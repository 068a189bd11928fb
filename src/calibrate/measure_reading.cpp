// calibrate/measure_reading.cpp -- how fast a core reads, alone and together with the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A round reads for a given time, not a given amount, so that those who begin together
// also end together.  It goes on in the working set where the round before ended: a set that is
// larger than a cache is never read from its beginning only.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/median.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "base/vector_unit.hpp"
#include "calibrate/core_timer.hpp"
#include "calibrate/run_together.hpp"
#include "echelon/buffer.hpp"
#include "echelon/calibrate.hpp"

namespace echelon {
namespace {

constexpr Offset smallest = Offset{64} << 10;   // bytes; a power of 4, as all sets are
constexpr Offset look_bytes = Offset{1} << 20;  // read between two looks at the clock

// Four streams of sums, as one alone would wait for each addition.  Inlined into a function for
// each vector unit.
using Lanes = double __attribute__((vector_size(64), aligned(64), may_alias));
[[gnu::always_inline]] inline double sum_text(const double* values, std::size_t count) {
  Lanes part[4] = {};
  const auto* const lanes = reinterpret_cast<const Lanes*>(values);
  for (std::size_t k = 0; k < count / 8; k += 4)
    for (std::size_t q = 0; q < 4; ++q) part[q] += lanes[k + q];
  part[0] += part[1] + part[2] + part[3];
  double all = 0;
  for (int q = 0; q < 8; ++q) all += part[0][q];
  return all;
}
double sum_plain(const double* values, std::size_t count) { return sum_text(values, count); }
#ifdef __x86_64__
[[gnu::target("avx2")]] double sum_avx2(const double* values, std::size_t count) {
  return sum_text(values, count);
}
[[gnu::target("avx512f")]] double sum_avx512(const double* values, std::size_t count) {
  return sum_text(values, count);
}
#endif

auto find_sum() {
#ifdef __x86_64__
  if (find_vector_unit() == VectorUnit::avx512) return sum_avx512;
  if (find_vector_unit() == VectorUnit::avx2) return sum_avx2;
#endif
  return sum_plain;
}

// One core's memory and what it has found.
class Reader {
 public:
  Reader(const CalibrateOptions& o, Offset largest) : options_(o) {
    for (Offset bytes = smallest; bytes <= std::max(largest, smallest); bytes *= 4)
      curve_.x.push_back(static_cast<double>(bytes));
    curve_.y.resize(curve_.x.size());
    values_.resize(static_cast<std::size_t>(curve_.x.back()) / sizeof(double));
    speed_.resize(static_cast<std::size_t>(o.rounds));
  }

  // On the core that reads, which is the first to touch its memory.  Allocates nothing.
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
  // Bytes a second of a round.
  double read(std::size_t set) {
    constexpr std::size_t piece = smallest / sizeof(double);
    double all = 0;
    Offset bytes = 0;
    const CoreTimer mine;
    const Timer timer;
    do {
      for (Offset seen = 0; seen < look_bytes; seen += smallest) {
        all += sum_(values_.data() + at_, piece);
        asm volatile("" ::: "memory");  // so that no sum is taken for the one before
        at_ = at_ + piece < set ? at_ + piece : 0;
      }
      bytes += look_bytes;
    } while (timer.seconds() < options_.round_s);
    const double seconds = mine.seconds();
    kept_.store(all, std::memory_order_relaxed);  // so that none is left out
    return static_cast<double>(bytes) / seconds;
  }

  const CalibrateOptions& options_;
  double (*const sum_)(const double*, std::size_t) = find_sum();
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
