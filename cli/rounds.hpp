// cli/rounds.hpp -- contestants take turns, so that whatever the machine does meanwhile it does
// to all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "echelon/types.hpp"
#include "progress.hpp"

namespace echelon::cli {

// Whose threads a contestant's are.
enum class Threads { ours, blas };

struct Contestant {
  std::function<double()> solve;  // solves once; the seconds it took
  double first = 0;               // seconds of the first solve, the checked one
  Threads threads = Threads::ours;
  std::vector<double> seconds = {};  // of the timed solves
};

// Method.  In each round everyone solves once, beginning with another one each time.  Where a
// solve is short, an untimed one goes before each timed one, for caches and threads to be warm.
// Who takes more than five seconds is timed once.  Between threads of two kinds there is a rest,
// and an untimed solve after it.
void run_in_turn(std::span<Contestant> contestants, Index rounds, Progress& progress);

}  // namespace echelon::cli
