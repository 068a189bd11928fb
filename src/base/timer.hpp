// base/timer.hpp -- wall-clock seconds since construction.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace echelon {

class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace echelon
