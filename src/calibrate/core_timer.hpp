// calibrate/core_timer.hpp -- CPU time of this thread since construction.
// SPDX-License-Identifier: BSD-3-Clause
//
// On a machine with other load, wall-clock time also measures how the scheduler shares the cores.
// CPU time measures only what a core does while this thread runs on it.
#pragma once

#include <time.h>

namespace echelon {

class CoreTimer {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
};

}  // namespace echelon
