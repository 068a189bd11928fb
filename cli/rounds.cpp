// cli/rounds.cpp -- times several solvers in turn.
// SPDX-License-Identifier: BSD-3-Clause
#include "rounds.hpp"

#include "timing.hpp"

namespace echelon::cli {
namespace {

constexpr double short_solve = 5e-3;  // seconds; below this, a warm-up precedes every timed solve
constexpr double long_solve = 5;      // seconds; above this, there is one timed solve

void take_turn(Contestant& c, bool rested) {
  if (c.first > long_solve && !c.seconds.empty()) return;
  if (rested || c.first < short_solve) c.solve();
  c.seconds.push_back(c.solve());
}

}  // namespace

void run_in_turn(std::span<Contestant> contestants, Index rounds, Progress& progress) {
  const Contestant* before = nullptr;
  for (Index round = 0; round < rounds; ++round) {
    progress.update(0.5 + 0.5 * round / rounds);
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
