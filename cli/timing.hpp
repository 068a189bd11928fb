// cli/timing.hpp -- times of repeated runs: median, extremes and quartiles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <vector>

#include "echelon/types.hpp"

namespace echelon::cli {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Waits until threads that worked recently are asleep: threads of OpenBLAS spin for 2^26 cycles
// after their work, and would disturb the next measurement.
void let_threads_rest();

// Quartiles are interpolated between neighbouring runs.
struct Spread {
  Index repeats = 0;
  double median = 0;
  double least = 0;
  double most = 0;
  double first_quartile = 0;
  double third_quartile = 0;
};

// All zero if there are no runs.
Spread find_spread(std::vector<double> seconds);

}  // namespace echelon::cli
