// cli/rounds.hpp -- times several solvers in turn, so that disturbances of the machine affect all
// of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "echelon/types.hpp"
#include "progress.hpp"

namespace echelon::cli {

// The thread pool that a contestant uses.
enum class Threads { ours, blas };

struct Contestant {
  std::function<double()> solve;  // solves once; returns the seconds
  double first = 0;               // seconds of the first, checked solve
  Threads threads = Threads::ours;
  std::vector<double> seconds = {};  // of the timed solves
};

// Method.  In each round every contestant solves once; each round starts with another one.  If
// solves are short, an untimed solve precedes each timed one, to warm caches and threads.  A
// contestant that takes more than five seconds is timed once.  When the thread pool changes, there
// is a pause and an untimed solve.
void run_in_turn(std::span<Contestant> contestants, Index rounds, Progress& progress);

}  // namespace echelon::cli
