// base/pool.hpp -- a process-wide thread pool whose workers help callers if they have a core.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A caller opens a job and works on it itself.  A worker that finds the job open enters
// by one atomic operation that also counts the threads inside.  When the caller has no work left,
// it closes the job and waits only for the threads inside.  A worker that arrives later finds the
// job closed and touches none of its memory, and no thread waits for a worker that has not entered.
// So a job's function must do all the work that no other thread has claimed, for any number of
// helpers, also for none.
//
// A worker may leave a job before its end, between two pieces of work.  It should leave if it has
// lost its core (lost_core): a thread that waits for a piece claimed by such a worker waits for a
// time slice.
//
// Workers are started on first use.  Without a job they poll for a tenth of a millisecond, then
// sleep.  A worker that the system takes off its core inside a job sleeps for a while after it,
// longer each time and as long as all cores are busy: another thread needs that core, and a caller
// that waits for a worker without a core waits for a time slice.  A worker that loses its core
// between jobs only goes to sleep: the threads of a BLAS or of OpenMP take turns with a solver.  A
// child of fork() starts its own workers.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// Calls work(what, member) on the calling thread, with member 0, and on up to threads - 1 workers,
// each with a different member below `threads`.  Returns when all these calls have returned.
// `work` must not throw.  Many callers may run at the same time, also from inside work().
using PoolWork = void (*)(const void* what, Index member);
void run_on_pool(Index threads, PoolWork work, const void* what) noexcept;

// The same for a function object: body(member).
template <class Body>
void run_with_help(Index threads, const Body& body) noexcept {
  run_on_pool(
      threads, [](const void* what, Index member) { (*static_cast<const Body*>(what))(member); },
      &body);
}

// For work(): whether the system took this worker off its core since the worker last had no job;
// reads the clock only now and then.  False on the thread that opened the job, which stays to its
// end.
bool lost_core() noexcept;

// Waits until enough workers for `threads` help at once, at most `patience_s`; false if they do
// not. Only for timing: the threads of a BLAS hold the cores for some ten milliseconds after its
// calls, so that workers sleep.
bool wait_for_help(Index threads, double patience_s) noexcept;

Index pool_workers();  // workers started in this process so far

// For tests: a worker calls the hook when it has seen a job but not entered it, and again when it
// has entered.  nullptr: no hook.
enum class PoolMoment { seen, entered };
void set_pool_hook(void (*hook)(PoolMoment));

}  // namespace echelon
