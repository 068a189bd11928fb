// exec/cuda/runtime/async_copy.cuh -- copies from global to shared memory that a thread starts and
// waits for later; emulated device code brings its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifdef __CUDACC__
#include <cuda_pipeline_primitives.h>

namespace echelon {

// `bytes`: 4, 8 or 16, to which both addresses are aligned.
template <int bytes>
__device__ inline void start_copy(void* to, const void* from) {
  __pipeline_memcpy_async(to, from, bytes);
}
// The copies that this thread has started since the last commit become a group.
__device__ inline void commit_copies() { __pipeline_commit(); }
// Until all groups of this thread but the last `but` are complete; at most 8.
template <int but>
__device__ inline void wait_for_copies() {
  __pipeline_wait_prior(but);
}

}  // namespace echelon

#endif
