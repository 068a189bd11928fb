// exec/cuda/runtime/flow_copies.cuh -- double buffer of the numbers that blocks publish: a solve
// fills one copy and empties the other for the next solve.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A solve uses the copy that `turn` selects, which is all empty, and fills its slots
// from 0 up to `used`.  At the same time it empties the other copy as far as the previous solve
// filled it.  The previous solve may have had more or fewer vectors, so the thread that publishes
// slot p empties slots p, p + used, p + 2 used and so on.  The last block flips `turn` and records
// how far this copy is filled.  So after any sequence of solves, a copy is empty when its turn
// comes.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/flow_number.cuh"

namespace echelon {

// State shared by all blocks of a solve, in device memory.
struct FlowState {
  unsigned turn = 0;  // the copy that the next solve uses
  unsigned done = 0;  // blocks that have finished
  unsigned given_up = 0;
  Offset dirty[2] = {0, 0};  // per copy: the number of leading slots that may not be empty
};

// T is a DeviceScalar.
template <class T>
struct FlowCopies {
  T* now;
  T* next;
  Offset used;   // slots filled in `now`
  Offset dirty;  // slots to empty in `next`

  __device__ FlowCopies() {}
  // Each copy has `size` slots.
  __device__ FlowCopies(T* flow, Offset size, Offset used_now, const FlowState* state) {
    const unsigned turn = load_flow(&state->turn);
    now = flow + turn * size;
    next = flow + (1 - turn) * size;
    used = used_now;
    dirty = state->dirty[1 - turn];
  }
  // The thread that publishes slot p calls this.
  __device__ void empty_next(Offset p) const {
    for (; p < dirty; p += used) next[p] = empty_number(T{});
  }
  // One thread calls this after all others have finished.
  __device__ void turn_round(FlowState* state) const {
    const unsigned turn = state->turn;
    state->dirty[turn] = used;
    state->dirty[1 - turn] = 0;
    state->turn = 1 - turn;
  }
};

}  // namespace echelon
