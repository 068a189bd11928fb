// calibrate/read_bandwidth.cpp -- measures the read bandwidth of several threads together: the best
// of several rounds.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include "base/read_sum.hpp"
#include "echelon/buffer.hpp"
#include "echelon/tools/calibrate.hpp"

namespace echelon {
namespace {

constexpr std::size_t total = std::size_t{512} << 20;  // bytes; larger than the caches
constexpr std::size_t rounds = 7;                      // the first ones warm up

using Clock = std::chrono::steady_clock;

// Begin and end of one thread's round.
struct Lap {
  Clock::time_point begin;
  Clock::time_point end;
};

// Seconds from the first begin to the last end, in the best round.
double best_round(const std::vector<std::array<Lap, rounds>>& laps) {
  Clock::duration best = Clock::duration::max();
  for (std::size_t k = 0; k < rounds; ++k) {
    Lap all = laps.front()[k];
    for (const auto& thread : laps)
      all = {std::min(all.begin, thread[k].begin), std::max(all.end, thread[k].end)};
    best = std::min(best, all.end - all.begin);
  }
  return std::chrono::duration<double>(best).count();
}

}  // namespace

double read_bandwidth(Index threads) {
  const auto count = static_cast<std::size_t>(threads);
  const std::size_t share = total / sizeof(double) / count / 64 * 64;
  Buffer<double> values;
  values.resize(share * count);
  std::vector<std::array<Lap, rounds>> laps(count);
  std::atomic<double> kept = 0;  // keeps the compiler from removing the sums
  const ReadSum sum = read_sum();
  std::barrier start(threads);
  const auto work = [&](std::size_t thread) {
    double* const mine = values.data() + thread * share;
    std::fill(mine, mine + share, 1.0);
    for (Lap& lap : laps[thread]) {
      start.arrive_and_wait();
      lap.begin = Clock::now();
      kept.store(sum(mine, share), std::memory_order_relaxed);
      lap.end = Clock::now();
    }
  };
  {
    std::vector<std::jthread> team;
    for (std::size_t t = 0; t < count; ++t) team.emplace_back(work, t);
  }
  return static_cast<double>(values.size() * sizeof(double)) / best_round(laps);
}

}  // namespace echelon
