// exec/cpu/team.hpp -- runs one function on the calling thread and its helpers from the thread
// pool.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "base/pool.hpp"

namespace echelon {

// Calls body(member) on the calling thread, which is member 0, and on up to threads - 1 workers.
// Possibly no worker joins: body must do all work that no other thread has claimed.  body returns a
// probe, 0 or NaN; run_team returns 0 if all probes are 0.
template <class R, class Body>
R run_team(Index threads, const Body& body) {
  std::atomic<R> probe{0};
  run_with_help(threads, [&](Index member) {
    const R own = body(member);
    if (own != 0) probe.store(own, std::memory_order_relaxed);
  });
  return probe.load(std::memory_order_relaxed);
}

}  // namespace echelon
