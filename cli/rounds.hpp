// cli/rounds.hpp -- times several solvers in turn, so that disturbances of the machine affect all
// of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "echelon/types.hpp"

namespace echelon::cli {

// The thread pool that a contestant uses.
enum class Threads { ours, others };

struct Contestant {
  std::function<double()> solve;  // solves once; returns the seconds
  double first = 0;               // seconds of the first, checked solve
  Threads threads = Threads::ours;
  std::vector<double> seconds = {};  // of the timed solves
};

// Method.  In each round every contestant solves once; each round starts with another one.  If
// solves are short, untimed solves of two milliseconds precede each timed one, so that caches,
// threads and branch predictors are warm for all.  A contestant that takes more than five seconds
// is timed once.  After most_s seconds there are no further rounds, but there are always three if
// so many are asked for.  When the thread pool changes, there is a pause, in
// which the threads of a BLAS and of OpenMP fall asleep, and then untimed solves
// of ten milliseconds.  The phase is shown with this label.
void run_in_turn(std::span<Contestant> contestants, Index rounds, const std::string& label,
                 double most_s = std::numeric_limits<double>::infinity());

}  // namespace echelon::cli
