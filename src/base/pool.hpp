// base/pool.hpp -- threads of the process that help whoever has work, as far as they have time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A caller opens a job and works at it itself.  A worker that finds it open enters, by
// one atomic operation that says how many are inside.  When the caller has nothing more to do it
// closes the job and waits for those inside alone: a worker that comes too late finds it closed
// and touches nothing of it, and no thread waits for one that has not begun.  So a job's function
// must do all the work that nobody else has taken, for any number of helpers, none included.
//
// A worker may leave a job before its end, between two pieces of work: where it has lost its core
// it should (lost_core), since whoever waits for a piece it has taken waits for a time slice.
//
// Workers are started when they are first wanted.  Without a job they poll for a tenth of a
// millisecond and then sleep.  One that the system took off its core while it was awake sleeps for
// a while, longer each time and as long as all cores are taken: somebody else needs that core, and
// who waits for a helper without a core waits for a time slice.  A child of fork() starts workers
// of its own.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// Calls work(what, member) on the calling thread, with member 0, and on up to threads - 1 workers,
// each with another member below `threads`.  Returns when all of these calls have.  It must not
// throw.  Any number of callers at a time, from inside of work() too.
using PoolWork = void (*)(const void* what, Index member);
void run_on_pool(Index threads, PoolWork work, const void* what) noexcept;

// The same for a function object: body(member).
template <class Body>
void run_with_help(Index threads, const Body& body) noexcept {
  run_on_pool(
      threads, [](const void* what, Index member) { (*static_cast<const Body*>(what))(member); },
      &body);
}

// For work(): whether the system took this worker off its core since it was last without work, by
// a look at the clock now and then.  False on the thread that opened the job, which stays to its
// end.
bool lost_core() noexcept;

Index pool_workers();  // started in this process so far

// For tests: a worker calls it whenever it has seen a job and not entered it yet, or has just
// entered.  None: nullptr.
enum class PoolMoment { seen, entered };
void set_pool_hook(void (*hook)(PoolMoment));

}  // namespace echelon
