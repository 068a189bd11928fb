// tests/mpi/fall.hpp -- makes the process stop or end itself after a while, at any point.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/time.h>

#include <csignal>

namespace echelon::test {

inline int signal_to_raise = SIGSTOP;

inline void fall_in(int milliseconds, int signal) {
  signal_to_raise = signal;
  std::signal(SIGALRM, [](int) { std::raise(signal_to_raise); });
  itimerval timer{};
  timer.it_value.tv_usec = milliseconds * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace echelon::test
