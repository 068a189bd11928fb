// cli/rounds.cpp -- times several solvers in turn.
// SPDX-License-Identifier: BSD-3-Clause
#include "rounds.hpp"

#include <chrono>

#include "progress.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

constexpr double short_solve = 5e-2;  // seconds; below this, warm-ups precede every timed solve
constexpr double warming = 2e-3;      // seconds of these, at least one solve
constexpr double long_solve = 5;      // seconds; above this, there is one timed solve
constexpr Index least_rounds = 3;     // although the time is up
constexpr double waking = 1e-2;       // seconds of warm-ups after a pause

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A solve of microseconds takes twice as long right after another contestant: the core has to learn
// the branches of this triangle first, and after a pause it has to wake up.
void warm_up(const Contestant& c, double seconds) {
  const auto begin = Clock::now();
  do c.solve();
  while (since(begin) < seconds);
}

void take_turn(Contestant& c, bool rested) {
  if (c.first > long_solve && !c.seconds.empty()) return;
  if (rested || c.first < short_solve) warm_up(c, rested ? waking : warming);
  c.seconds.push_back(c.solve());
}

}  // namespace

void run_in_turn(std::span<Contestant> contestants, Index rounds, const std::string& label,
                 double most_s) {
  Progress progress(label);
  const auto begin = Clock::now();
  const Contestant* before = nullptr;
  for (Index round = 0; round < rounds && (round < least_rounds || since(begin) <= most_s);
       ++round) {
    progress.update(static_cast<double>(round) / rounds);
    for (std::size_t k = 0; k < contestants.size(); ++k) {
      Contestant& next = contestants[(k + static_cast<std::size_t>(round)) % contestants.size()];
      const bool change = before != nullptr && before->threads != next.threads;
      if (change) let_threads_rest();
      take_turn(next, change);
      before = &next;
    }
  }
}

}  // namespace echelon::cli
