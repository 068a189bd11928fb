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
#include "exec/cuda/runtime/grid_state.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct FlowCopies {
  T* now;
  T* next;
  Offset used;   // slots filled in `now`
  Offset dirty;  // slots to empty in `next`

  __device__ FlowCopies() {}
  // Each copy has `size` slots.
  __device__ FlowCopies(T* flow, Offset size, Offset used_now, const GridWords* words) {
    const unsigned turn = load_flow(&words->turn);
    now = flow + turn * size;
    next = flow + (1 - turn) * size;
    used = used_now;
    dirty = words->dirty[1 - turn];
  }
  // The thread that publishes slot p calls this.
  __device__ void empty_next(Offset p) const {
    for (; p < dirty; p += used) next[p] = empty_number(T{});
  }
  // One thread calls this after all others have finished.
  __device__ void turn_round(GridWords* words) const {
    const unsigned turn = words->turn;
    words->dirty[turn] = used;
    words->dirty[1 - turn] = 0;
    words->turn = 1 - turn;
  }
};

}  // namespace echelon
