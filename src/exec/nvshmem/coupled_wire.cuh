// exec/nvshmem/coupled_wire.cuh -- device functions of the coupled design: puts and signals between
// PEs, barriers and votes inside a block.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstdint>

#include "echelon/types.hpp"
#include "exec/cuda/runtime/device_sync.cuh"

namespace echelon {

using Signal = std::uint64_t;

// --- To another PE.  `to` and `at` are local addresses; NVSHMEM maps them to the other PE.

// Called by all threads of a block, with a barrier before and after.
__device__ inline void put_by_block(void* to, const void* from, std::size_t bytes, Index pe) {
  nvshmemx_putmem_nbi_block(to, from, bytes, pe);
}
__device__ inline void put_by_thread(void* to, const void* from, std::size_t bytes, Index pe) {
  nvshmem_putmem_nbi(to, from, bytes, pe);
}
// Earlier puts arrive before later signals.
__device__ inline void order_puts() { nvshmem_fence(); }
__device__ inline void signal_remote(Signal* at, Signal value, Index pe) {
  nvshmemx_signal_op(at, value, NVSHMEM_SIGNAL_SET, pe);
}

// --- From another PE.

// Reads a signal without ordering other accesses.
__device__ inline Signal peek(const Signal* at) { return *static_cast<const volatile Signal*>(at); }
// If true, the data put before this signal can be read.
__device__ inline bool has_come(Signal* at, Signal value) {
  return nvshmem_uint64_test(at, NVSHMEM_CMP_GE, value) != 0;
}

// --- Inside a block.

// The number of threads with `yes`; a barrier for all threads of the block.
__device__ inline int threads_with(bool yes) { return __syncthreads_count(yes ? 1 : 0); }
__device__ inline unsigned ballot(bool yes) { return __ballot_sync(~0u, yes); }
__device__ inline int first_lane(unsigned lanes) { return __ffs(static_cast<int>(lanes)) - 1; }
__device__ inline void sync_warp() { __syncwarp(); }
__device__ inline void pause_thread() {}

}  // namespace echelon
