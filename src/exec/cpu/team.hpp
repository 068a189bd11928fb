// exec/cpu/team.hpp -- the calling thread and whoever helps it, all in one function.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "base/pool.hpp"

namespace echelon {

// Calls body(member) on the calling thread, which is member 0, and on up to threads - 1 others.
// None of these may ever come: body must do all the work that nobody has taken.  It returns a
// probe, 0 or NaN; so does this: 0 if all of them were.
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
