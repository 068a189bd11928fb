// tests/exec/emulated_flow.hpp -- exec/cuda/runtime/device_flow.cuh for blocks on the CPU: plain
// memory, immediate copies, and a waiting thread lets the others run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "exec/emulated_block.hpp"
// Device code, after the names it needs:
#include "exec/cuda/runtime/status_word.cuh"

#define ECHELON_UNROLL
#define ECHELON_NOINLINE

namespace echelon {

template <class V>
V load_flow(const V* p) {
  return *p;
}
template <class V>
void load_flow(const V* p, V& a, V& b) {
  if (reinterpret_cast<std::uintptr_t>(p) % (2 * sizeof(V)) != 0) std::abort();  // as on a device
  a = p[0];
  b = p[1];
}
template <class V>
V load_with_neighbours(const V* p) {
  return *p;
}
template <class V>
void store_flow(V* p, V a) {
  *p = a;
}
template <class V>
V load_far(const V* p) {
  return load_flow(p);
}
template <class V>
void load_far(const V* p, V& a, V& b) {
  load_flow(p, a, b);
}
template <class V>
void store_far(V* p, V a) {
  *p = a;
}
inline unsigned long long acquire_far(const unsigned long long* p) { return *p; }
inline void release_far(unsigned long long* p, unsigned long long a) { *p = a; }
inline void fence_far() {}
inline double empty_word(double) { return std::bit_cast<double>(~std::uint64_t{0}); }
inline float empty_word(float) { return std::bit_cast<float>(~std::uint32_t{0}); }
inline bool is_empty_word(double a) { return std::bit_cast<std::uint64_t>(a) == ~std::uint64_t{0}; }
inline bool is_empty_word(float a) { return std::bit_cast<std::uint32_t>(a) == ~std::uint32_t{0}; }
template <class V>
V not_empty_word(V a) {
  return is_empty_word(a) ? std::numeric_limits<V>::quiet_NaN() : a;
}
inline unsigned count_up(unsigned* p) { return (*p)++; }
inline unsigned blocks_of_grid() {
  return static_cast<unsigned>(EmulatedBlock::current_block->blocks());
}
inline int made_anew(int a) { return a; }
inline void pause_thread() { EmulatedBlock::current_block->pass_on(); }
inline void rest_thread() { pause_thread(); }
inline void sync_part(int which, int threads) {
  EmulatedBlock::current_block->wait_for_part(static_cast<std::size_t>(which),
                                              static_cast<std::size_t>(threads));
}
inline void sync_warp() { EmulatedBlock::current_block->wait_for_warp(); }
inline unsigned ballot(bool yes) { return EmulatedBlock::current_block->ballot(yes); }
inline bool all_lanes(bool yes) { return ballot(yes) == ~0u; }
inline unsigned share_of_first_lane(unsigned a) {
  return static_cast<unsigned>(__shfl_sync(~0u, static_cast<double>(a), 0));
}
inline int first_lane(unsigned lanes) { return std::countr_zero(lanes); }

struct Gate {
  std::int16_t arrivals, missing;
  unsigned phase;
};
inline void gate_init(Gate* gate, int arrivals) {
  const auto count = static_cast<std::int16_t>(arrivals);
  *gate = {count, count, 0};
}
inline void gate_arrive(Gate* gate) {
  if (--gate->missing > 0) return;
  gate->missing = gate->arrivals;
  gate->phase ^= 1;
}
inline void gate_wait(Gate* gate, unsigned parity) {
  EmulatedBlock::current_block->hold_while(gate->phase, parity);
}
inline void gates_are_ready() {}
constexpr int stream_arrivals = 1;
struct CachePolicy {};
inline CachePolicy cache_policy(float) { return {}; }
inline void stream_copy(void* to, const void* from, unsigned bytes, Gate* gate, CachePolicy) {
  if (EmulatedBlock::current_block->thread() % 32 != 0) return;
  std::memcpy(to, from, bytes);
  gate_arrive(gate);
}

template <int bytes>
void copy_async(void* to, const void* from, bool there) {
  if (reinterpret_cast<std::uintptr_t>(to) % bytes != 0) std::abort();  // as on a device
  if (reinterpret_cast<std::uintptr_t>(from) % bytes != 0) std::abort();
  if (there)
    std::memcpy(to, from, bytes);
  else
    std::memset(to, 0, bytes);
}
inline void copy_shared(void* to, const void* from, bool there) { copy_async<16>(to, from, there); }
inline void end_copies() {}
template <int n>
void copies_arrive() {}
inline void prefetch_bytes(const void* from, unsigned bytes) {
  if ((reinterpret_cast<std::uintptr_t>(from) | bytes) % 16 != 0) std::abort();  // as on a device
}
inline void multiply_tile(double (&sum)[4], const double (&a)[4], double low, double high) {
  static std::map<unsigned, std::array<std::array<double, 6>, 32>> fragments;  // by warp
  const unsigned thread = threadIdx.x, lane = thread % 32, g = lane / 4, t = lane % 4;
  auto& warp = fragments[1024 * blockIdx.x + thread / 32];
  warp[lane] = {a[0], a[1], a[2], a[3], low, high};
  sync_warp();
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned k = 0; k < 8; ++k)
      sum[i] = fma(warp[4 * g + k % 4][k / 4 * 2 + i / 2],
                   warp[4 * (2 * t + i % 2) + k % 4][4 + k / 4], sum[i]);
  sync_warp();
}

}  // namespace echelon
