// exec/nvshmem/coupled_wire.cuh -- the instructions behind the coupled design: how GPUs hand each
// other numbers, and how the threads of a block agree.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstdint>

#include "echelon/types.hpp"
#include "exec/cuda/runtime/device_sync.cuh"

namespace echelon {

using Signal = std::uint64_t;

// --- To another PE.  `to` and `at` are addresses here; they mean the same place there.

// All threads of a block; they meet before and after.
__device__ inline void put_by_block(void* to, const void* from, std::size_t bytes, Index pe) {
  nvshmemx_putmem_nbi_block(to, from, bytes, pe);
}
__device__ inline void put_by_thread(void* to, const void* from, std::size_t bytes, Index pe) {
  nvshmem_putmem_nbi(to, from, bytes, pe);
}
// What was put before arrives before what is told after.
__device__ inline void order_puts() { nvshmem_fence(); }
__device__ inline void signal_remote(Signal* at, Signal value, Index pe) {
  nvshmemx_signal_op(at, value, NVSHMEM_SIGNAL_SET, pe);
}

// --- From another PE.

// A look that promises nothing.
__device__ inline Signal peek(const Signal* at) { return *static_cast<const volatile Signal*>(at); }
// If so, what was put before it can be read.
__device__ inline bool has_come(Signal* at, Signal value) {
  return nvshmem_uint64_test(at, NVSHMEM_CMP_GE, value) != 0;
}

// --- Inside a block.

// How many say yes; all threads meet here.
__device__ inline int threads_with(bool yes) { return __syncthreads_count(yes ? 1 : 0); }
__device__ inline unsigned ballot(bool yes) { return __ballot_sync(~0u, yes); }
__device__ inline int first_lane(unsigned lanes) { return __ffs(static_cast<int>(lanes)) - 1; }
__device__ inline void sync_warp() { __syncwarp(); }
__device__ inline void pause_thread() {}

}  // namespace echelon
