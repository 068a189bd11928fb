// exec/cuda/runtime/device_flow.cuh -- PTX instructions by which blocks of a resident grid publish
// and poll numbers, and by which a warp copies global memory into shared memory asynchronously.
// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming.  From compute capability 9.0 on, one lane starts a bulk copy (cp.async.bulk) per piece
// and an mbarrier (Gate) counts its bytes.  On older devices each lane starts copies of 16 bytes
// (cp.async).
//
// This file is empty for a host compiler: tests first include their own version of these functions
// (tests/exec/emulated_flow.hpp).
#pragma once
#ifdef __CUDACC__

#include <cstdint>

#include "exec/cuda/runtime/status_word.cuh"

#define ECHELON_UNROLL _Pragma("unroll")
#define ECHELON_NOINLINE __device__ __noinline__  // keeps its registers apart from the caller's

namespace echelon {

// --- Words shared by blocks of one device.  Relaxed order suffices: the word itself carries the
// whole message and orders no other access.

__device__ inline double load_flow(const double* p) {
  double a;
  asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(a) : "l"(p));
  return a;
}
__device__ inline float load_flow(const float* p) {
  float a;
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(a) : "l"(p));
  return a;
}
// Two adjacent words; each may be empty or published.
__device__ inline void load_flow(const double* p, double& a, double& b) {
  asm volatile("ld.relaxed.gpu.global.v2.f64 {%0, %1}, [%2];" : "=d"(a), "=d"(b) : "l"(p));
}
__device__ inline void load_flow(const float* p, float& a, float& b) {
  asm volatile("ld.relaxed.gpu.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(p));
}
__device__ inline unsigned load_flow(const unsigned* p) {
  unsigned a;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(a) : "l"(p));
  return a;
}
__device__ inline void store_flow(double* p, double a) {
  asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" ::"l"(p), "d"(a));
}
__device__ inline void store_flow(float* p, float a) {
  asm volatile("st.relaxed.gpu.global.f32 [%0], %1;" ::"l"(p), "f"(a));
}
__device__ inline void store_flow(unsigned* p, unsigned a) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(a));
}
// The same at system scope, for a block on another GPU or in another process.
__device__ inline double load_far(const double* p) {
  double a;
  asm volatile("ld.relaxed.sys.global.f64 %0, [%1];" : "=d"(a) : "l"(p));
  return a;
}
__device__ inline float load_far(const float* p) {
  float a;
  asm volatile("ld.relaxed.sys.global.f32 %0, [%1];" : "=f"(a) : "l"(p));
  return a;
}
__device__ inline void load_far(const double* p, double& a, double& b) {
  asm volatile("ld.relaxed.sys.global.v2.f64 {%0, %1}, [%2];" : "=d"(a), "=d"(b) : "l"(p));
}
__device__ inline void load_far(const float* p, float& a, float& b) {
  asm volatile("ld.relaxed.sys.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(p));
}
__device__ inline void store_far(double* p, double a) {
  asm volatile("st.relaxed.sys.global.f64 [%0], %1;" ::"l"(p), "d"(a));
}
__device__ inline void store_far(float* p, float a) {
  asm volatile("st.relaxed.sys.global.f32 [%0], %1;" ::"l"(p), "f"(a));
}
// Acquire and release at system scope: accesses before the release are visible after the acquire
// that reads its value.
__device__ inline unsigned long long acquire_far(const unsigned long long* p) {
  unsigned long long a;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(a) : "l"(p) : "memory");
  return a;
}
__device__ inline void release_far(unsigned long long* p, unsigned long long a) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(p), "l"(a) : "memory");
}
__device__ inline void fence_far() { __threadfence_system(); }
// A load whose neighbouring words are needed soon, but not by the same warp at the same time:
// brings 256 bytes into the L2 cache.
__device__ inline double load_with_neighbours(const double* p) {
  double a;
  asm volatile("ld.global.L2::256B.f64 %0, [%1];" : "=d"(a) : "l"(p));
  return a;
}
__device__ inline float load_with_neighbours(const float* p) {
  float a;
  asm volatile("ld.global.L2::256B.f32 %0, [%1];" : "=f"(a) : "l"(p));
  return a;
}
// The empty word: the NaN with all bits set, as memset(255) leaves it.
__device__ inline double empty_word(double) { return __longlong_as_double(-1ll); }
__device__ inline float empty_word(float) { return __int_as_float(-1); }
__device__ inline bool is_empty_word(double a) { return __double_as_longlong(a) == -1ll; }
__device__ inline bool is_empty_word(float a) { return __float_as_int(a) == -1; }
// Replaces a result that equals the empty word by another NaN.
__device__ inline double not_empty_word(double a) {
  return is_empty_word(a) ? __longlong_as_double(0x7ff8000000000000ll) : a;
}
__device__ inline float not_empty_word(float a) {
  return is_empty_word(a) ? __int_as_float(0x7fc00000) : a;
}

__device__ inline unsigned count_up(unsigned* p) { return atomicAdd(p, 1u); }
__device__ inline unsigned blocks_of_grid() { return gridDim.x; }
__device__ inline void pause_thread() {}
// A short sleep, for places where many threads poll and one of them should run first.
__device__ inline void rest_thread() { __nanosleep(20); }

// --- Inside a block.

// Returns `a` itself, but hides it from the optimizer: values computed from it are not kept in
// registers across this call.
__device__ inline int made_anew(int a) {
  asm volatile("" : "+r"(a));
  return a;
}

__device__ inline void sync_warp() { __syncwarp(); }
// Barrier `which` (from 1 on) for `threads` threads of the block, whole warps.
__device__ inline void sync_part(int which, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(which), "r"(threads) : "memory");
}
__device__ inline unsigned ballot(bool yes) { return __ballot_sync(~0u, yes); }
__device__ inline bool all_lanes(bool yes) { return __all_sync(~0u, yes) != 0; }
__device__ inline unsigned share_of_first_lane(unsigned a) { return __shfl_sync(~0u, a, 0); }
__device__ inline int first_lane(unsigned lanes) { return __ffs(static_cast<int>(lanes)) - 1; }
struct Gate {
  std::uint64_t state;
};
__device__ inline std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void gate_init(Gate* gate, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(gate)), "r"(arrivals)
               : "memory");
}
__device__ inline void gate_arrive(Gate* gate) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(shared_address(gate))
               : "memory");
}
__device__ inline void gate_wait(Gate* gate, unsigned parity) {
  unsigned open = 0;
  while (open == 0) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(open)
        : "r"(shared_address(gate)), "r"(parity)
        : "memory");
#else
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(open)
        : "r"(shared_address(gate)), "r"(parity)
        : "memory");
#endif
  }
}

// stream_copy: all lanes of a warp call it to copy `bytes` bytes into shared memory.  The gate
// expects `stream_arrivals` arrivals per copy and opens when the data is there.
#if __CUDA_ARCH__ >= 900
constexpr int stream_arrivals = 1;
using CachePolicy = std::uint64_t;
// Keeps a fixed fraction of the data read in the L2 cache and evicts the rest first.
__device__ inline CachePolicy cache_policy(float kept) {
  CachePolicy policy;
  if (kept >= 1)
    asm volatile("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
  else
    asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;"
                 : "=l"(policy)
                 : "f"(fmaxf(kept, 0.001f)));
  return policy;
}
__device__ inline void gates_are_ready() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void stream_copy(void* to, const void* from, unsigned bytes, Gate* gate,
                                   CachePolicy policy) {
  if (threadIdx.x % 32 != 0) return;
  asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], %1; }" ::"r"(
                   shared_address(gate)),
               "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
      "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(gate)), "l"(policy)
      : "memory");
}
#else
constexpr int stream_arrivals = 32;
struct CachePolicy {};
__device__ inline CachePolicy cache_policy(float) { return {}; }
__device__ inline void gates_are_ready() {}
__device__ inline void stream_copy(void* to, const void* from, unsigned bytes, Gate* gate,
                                   CachePolicy) {
  for (unsigned k = threadIdx.x % 32 * 16; k < bytes; k += 512)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to) + k),
                 "l"(static_cast<const char*>(from) + k)
                 : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(gate))
               : "memory");
}
#endif

// --- Products of tiles, from compute capability 8.0 on.

// copy_async: 8 or 16 bytes to shared memory, or zeros, asynchronously; copy_shared: 16 bytes that
// other warps of the block read too.  end_copies ends a group of copies of this thread;
// copies_arrive waits for all groups but the last n.
template <int bytes>
__device__ inline void copy_async(void* to, const void* from, bool there) {
#if __CUDA_ARCH__ >= 800
  if constexpr (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)),
                 "l"(from), "r"(there ? 16 : 0)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared_address(to)),
                 "l"(from), "r"(there ? 8 : 0)
                 : "memory");
#endif
}
__device__ inline void copy_shared(void* to, const void* from, bool there) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(there ? 16 : 0)
               : "memory");
#endif
}
__device__ inline void end_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int n>
__device__ inline void copies_arrive() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
#endif
}
// Brings memory into the L2 cache; address and size are multiples of 16 bytes.
__device__ inline void prefetch_bytes(const void* from, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes));
#endif
}
// sum += A x for a 16 by 8 fragment A and an 8 by 8 fragment x, by all lanes of a warp.  Lane
// 4 g + t gives a: rows g and g + 8 of column t, then of column t + 4; x: rows t (low) and t + 4
// (high) of column g.  It gets columns 2 t and 2 t + 1 of row g, then of row g + 8.
__device__ inline void multiply_tile(double (&sum)[4], const double (&a)[4], double low,
                                     double high) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(low), "d"(high));
#elif __CUDA_ARCH__ >= 800
  for (int k = 0; k < 2; ++k) {
    for (int half = 0; half < 2; ++half)
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+d"(sum[2 * half]), "+d"(sum[2 * half + 1])
          : "d"(a[2 * k + half]), "d"(k == 0 ? low : high));
  }
#else
  __trap();  // the host does not launch such a kernel here
#endif
}

}  // namespace echelon
#endif  // __CUDACC__
