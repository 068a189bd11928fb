// exec/cpu/team.hpp -- a team of OpenMP threads that all run one function, and the sum of
// their probes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <omp.h>

#include <atomic>

#include "echelon/types.hpp"

namespace echelon {

// Calls body(thread, team) on up to `threads` threads and adds up what they return.  The
// runtime may grant fewer than asked: body must do all the work for any size of team.
template <class R, class Body>
R run_team(Index threads, const Body& body) {
  R sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += body(static_cast<Index>(omp_get_thread_num()), static_cast<Index>(omp_get_num_threads()));
  return sum;
}

// A counter that threads take their next item from, on a cache line of its own.
struct alignas(64) Ticket {
  std::atomic<Index> next{0};
};

}  // namespace echelon
