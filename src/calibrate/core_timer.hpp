// calibrate/core_timer.hpp -- seconds this thread has had a core, since it was made.
// SPDX-License-Identifier: BSD-3-Clause
//
// On a machine with other work the time that passes tells how cores are shared out; what a core
// does while it is ours is seen by its own time.
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
