// exec/cuda/runtime/grid_state.cuh -- the words that all blocks of a resident grid share, and the
// one way to give up.
// SPDX-License-Identifier: BSD-3-Clause
//
// Way out.  A thread that waits past its deadline sets `given_up` and raises status_gave_up.  All
// other threads that wait check `given_up` once per 256 polls and stop waiting too, so the kernel
// ends, with a useless answer.  The host resets the words of such a solve; until then every solve
// ends with status_gave_up.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "echelon/types.hpp"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_sync.cuh"
#include "exec/cuda/runtime/status_word.cuh"

namespace echelon {

// In device memory; all zero at first and after a solve that gave up.
struct GridWords {
  unsigned turn = 0;  // the copy of the flow that the next solve uses
  unsigned done = 0;  // blocks that have finished
  unsigned given_up = 0;
  unsigned met = 0;          // blocks that have reached the rehearsal
  Offset dirty[2] = {0, 0};  // FlowCopies: the leading slots of each copy that may not be empty
};

// A kernel's parameters for them.
struct GridState {
  GridWords* words;
  unsigned* status;               // DeviceStatus::device()
  unsigned long long timeout_ns;  // 0: no timeout

  __device__ unsigned long long deadline() const {
    return timeout_ns == 0 ? ~0ull : nanoseconds() + timeout_ns;
  }
  // Whether this thread has to stop waiting.  Call it once per 256 polls.
  __device__ bool gives_up(unsigned long long deadline) const {
    if (load_flow(&words->given_up) == 0) {
      if (nanoseconds() < deadline) return false;
      store_flow(&words->given_up, 1u);
    }
    raise_status(status, status_gave_up);
    return true;
  }
  // The same for a warp whose lanes all call this: if one lane has to stop, all do.
  __device__ bool warp_gives_up(unsigned long long deadline) const {
    const bool late = nanoseconds() >= deadline;
    if (late) store_flow(&words->given_up, 1u);
    return warp_has_to_stop(late);
  }
  __device__ bool warp_has_to_stop(bool late = false) const {
    if (ballot(late || load_flow(&words->given_up) != 0) == 0) return false;
    raise_status(status, status_gave_up);
    return true;
  }
  // One thread per block calls this at its end.  Returns true in the last block of the grid.
  __device__ bool ends_last() const {
    if (count_up(&words->done) + 1 < blocks_of_grid()) return false;
    words->done = 0;
    return true;
  }
};

}  // namespace echelon
