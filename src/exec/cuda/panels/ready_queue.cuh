// exec/cuda/panels/ready_queue.cuh -- a queue of ready tasks, shared by the blocks of one launch.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  As in method dynamic on the CPU, each task has a counter of the tasks it waits for.
// The block that decrements a counter to zero (acquire-release) stores the task in the next free
// slot of the queue (release).  A block claims the next unclaimed slot and polls it until it holds
// a task (acquire).  One thread acts for its block, with __syncthreads before and after.
//
// Forward progress.  Every task is queued exactly once, from the start or by a task that has
// finished, and only running blocks claim slots.  So while claimed slots are empty, some task is
// running, and no block waits forever.
//
// Way out.  Should that argument fail, a block that finds the number of filled slots unchanged for
// timeout_ns raises status_gave_up and ends.  The other blocks find the same and end too.
//
// The state is one array, which a copy resets: slots claimed | slots filled | counters | slots.
#pragma once

#include <algorithm>

#include "exec/cuda/runtime/device_sync.cuh"
#include "exec/cuda/runtime/status_word.cuh"
#include "exec/task_graph.hpp"

namespace echelon {

struct ReadyQueue {
  static constexpr Index line = 32;  // Index values per cache line; separates the two counters
  static constexpr Index none = -1;

  Index tasks;
  const Index* start;   // size tasks+1
  const Index* member;  // successors of each task
  Index* state;
  unsigned* status;
  unsigned long long timeout_ns = 0;  // 0: no timeout

  // The state before the first task.
  static Buffer<Index> make_state(const TaskGraph& g) {
    Buffer<Index> state(static_cast<std::size_t>(2 * (line + Offset{g.tasks()})), none);
    state[0] = 0;
    state[line] = static_cast<Index>(g.ready.size());
    const auto waiting = std::copy(g.needs.begin(), g.needs.end(), state.begin() + 2 * line);
    std::copy(g.ready.begin(), g.ready.end(), waiting);
    return state;
  }

  // Returns the next task, or none if all tasks are claimed or after a timeout.
  __device__ Index take() const {
    const Index k = DeviceAtomic<Index>(state[0]).fetch_add(1, order::memory_order_relaxed);
    if (k >= tasks) return none;
    const DeviceAtomic<Index> mine(place(k)), filled(state[line]);
    Index t = mine.load(order::memory_order_acquire), seen = none;  // seen: slots filled
    for (unsigned long long since = 0; t == none; t = mine.load(order::memory_order_acquire)) {
      if (timeout_ns == 0 || nanoseconds() - since < timeout_ns) continue;
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

  // Decrements the counters of all successors of t and queues those that become ready.
  __device__ void finish(Index t) const {
    for (Index p = start[t]; p < start[t + 1]; ++p) {
      const Index next = member[p];
      const DeviceAtomic<Index> waiting(state[2 * line + next]);
      if (waiting.fetch_sub(1, order::memory_order_acq_rel) != 1) continue;
      const Index end = DeviceAtomic<Index>(state[line]).fetch_add(1, order::memory_order_relaxed);
      DeviceAtomic<Index>(place(end)).store(next, order::memory_order_release);
    }
  }

  // One block runs tasks until the queue is used up.  `mine` is in shared memory.
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
