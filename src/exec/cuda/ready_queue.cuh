// exec/cuda/ready_queue.cuh -- a queue of tasks that are ready, shared by the blocks of one launch.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  As method dynamic has it on the CPU: each task has a counter of tasks it waits for.
// Who brings a counter to zero (acquire-release) puts the task into the next place of the queue
// (release); a block takes the next place that nobody took and waits until something is in it
// (acquire).  One thread speaks for its block, with __syncthreads before and after.  Every task is
// put there once, by a task that is done, and a place is taken by running blocks only: as long as
// places are empty some task is running, so no block waits for ever.
//
// Should that be wrong, a block that sees the queue stand still for so long as it has
// patience raises status_gave_up and ends; the others see the same and follow.
//
// The state is an array that a copy sets back: places taken | places filled | counters | places.
#pragma once

#include <algorithm>

#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/status_word.cuh"
#include "exec/task_graph.hpp"

namespace echelon {

struct ReadyQueue {
  static constexpr Index line = 32;  // numbers of a cache line: the two counters lie apart
  static constexpr Index none = -1;

  Index tasks;
  const Index* start;   // size tasks+1
  const Index* member;  // whom to tell
  Index* state;
  unsigned* status;
  unsigned long long patience = 0;  // nanoseconds; 0: for ever

  // As it is before the first task.
  static Buffer<Index> make_state(const TaskGraph& g) {
    Buffer<Index> state(static_cast<std::size_t>(2 * (line + Offset{g.tasks()})), none);
    state[0] = 0;
    state[line] = static_cast<Index>(g.ready.size());
    const auto waiting = std::copy(g.needs.begin(), g.needs.end(), state.begin() + 2 * line);
    std::copy(g.ready.begin(), g.ready.end(), waiting);
    return state;
  }

  // The next task, or none if all are taken.
  __device__ Index take() const {
    const Index k = DeviceAtomic<Index>(state[0]).fetch_add(1, order::memory_order_relaxed);
    if (k >= tasks) return none;
    const DeviceAtomic<Index> mine(place(k)), filled(state[line]);
    Index t = mine.load(order::memory_order_acquire), seen = none;  // seen: of the places filled
    for (unsigned long long since = 0; t == none; t = mine.load(order::memory_order_acquire)) {
      if (patience == 0 || nanoseconds() - since < patience) continue;
      const Index now = filled.load(order::memory_order_relaxed);
      if (now == seen) {
        raise_status(status, status_gave_up);
        return none;
      }
      seen = now;
      since = nanoseconds();
    }
    return t;
  }

  // Tells those that wait for t.
  __device__ void finish(Index t) const {
    for (Index p = start[t]; p < start[t + 1]; ++p) {
      const Index next = member[p];
      const DeviceAtomic<Index> waiting(state[2 * line + next]);
      if (waiting.fetch_sub(1, order::memory_order_acq_rel) != 1) continue;
      const Index end = DeviceAtomic<Index>(state[line]).fetch_add(1, order::memory_order_relaxed);
      DeviceAtomic<Index>(place(end)).store(next, order::memory_order_release);
    }
  }

  // What one block does until the queue is done.  `mine` is shared by its threads.
  template <class Pass>
  __device__ void run(const Pass& pass, bool pull, typename Pass::Shared& shared,
                      Index& mine) const {
    for (;;) {
      if (threadIdx.x == 0) mine = take();
      __syncthreads();
      const Index t = mine;
      if (t == none) return;
      if (pull)
        pass.pull_task(t, shared);
      else
        pass.push_task(t, shared);
      __syncthreads();
      if (threadIdx.x == 0) finish(t);
    }
  }

 private:
  __device__ Index& place(Index k) const { return state[2 * line + Offset{tasks} + k]; }
};

}  // namespace echelon
