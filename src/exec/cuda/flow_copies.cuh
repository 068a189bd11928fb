// exec/cuda/flow_copies.cuh -- the two copies of what blocks hand to each other: one is filled, the
// other emptied for the next solve, whatever number of vectors that has.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A solve uses the copy that `turn` says, finds all of it empty, and fills its numbers
// from 0 up to `used`.  Meanwhile it empties the other copy as far as the last solve filled it,
// which may have been for more vectors or for fewer: who hands on number p empties p, p + used,
// p + 2 used and so on.  The last block turns the copies round and notes how far this one is
// filled.  So a copy is empty whenever its turn comes, after any sequence of solves.
//
// Needs the names of exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include "exec/cuda/flow_number.cuh"

namespace echelon {

// What the blocks of a solve have in common, in device memory.
struct FlowState {
  unsigned turn = 0;  // which copy of the numbers is used next
  unsigned done = 0;  // blocks that ended
  unsigned given_up = 0;
  Offset dirty[2] = {0, 0};  // numbers of each copy that may not be empty, from the first on
};

// T is a DeviceScalar.
template <class T>
struct FlowCopies {
  T* now;
  T* next;
  Offset used;   // of the first
  Offset dirty;  // of the second

  __device__ FlowCopies() {}
  // A copy has `size` numbers.
  __device__ FlowCopies(T* flow, Offset size, Offset used_now, const FlowState* state) {
    const unsigned turn = load_flow(&state->turn);
    now = flow + turn * size;
    next = flow + (1 - turn) * size;
    used = used_now;
    dirty = state->dirty[1 - turn];
  }
  // By whoever hands on number p.
  __device__ void empty_next(Offset p) const {
    for (; p < dirty; p += used) next[p] = empty_number(T{});
  }
  // By one thread, after all others.
  __device__ void turn_round(FlowState* state) const {
    const unsigned turn = state->turn;
    state->dirty[turn] = used;
    state->dirty[1 - turn] = 0;
    state->turn = 1 - turn;
  }
};

}  // namespace echelon
