// exec/cuda/runtime/device_sync.cuh -- atomics, a fence and a clock for blocks of one launch, with
// host versions for emulated device code.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifdef __CUDACC__
#include <cuda/atomic>
#else
#include <atomic>
#include <chrono>
#endif

namespace echelon {

#ifdef __CUDACC__

namespace order = ::cuda::std;
template <class V>
using DeviceAtomic = ::cuda::atomic_ref<V, ::cuda::thread_scope_device>;
// Acquire and release fence at device scope: everything this thread read or wrote before, and
// everything other threads of its block read or wrote before a barrier, precedes what it does
// after.
__device__ inline void fence_blocks() {
  ::cuda::atomic_thread_fence(order::memory_order_acq_rel, ::cuda::thread_scope_device);
}
__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

#else

namespace order = ::std;
template <class V>
using DeviceAtomic = std::atomic_ref<V>;
inline void fence_blocks() { std::atomic_thread_fence(std::memory_order_acq_rel); }
inline unsigned long long nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<unsigned long long>(std::chrono::nanoseconds(now).count());
}

#endif

}  // namespace echelon
