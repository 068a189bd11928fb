// tests/exec/emulated_flow.hpp -- exec/cuda/device_flow.cuh for blocks on the CPU: memory is what
// it is, a copy is done at once, and who waits lets the others run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "exec/emulated_block.hpp"
// Device code, after the names it needs:
#include "exec/cuda/status_word.cuh"

#define ECHELON_UNROLL

namespace echelon {

template <class V>
V load_flow(const V* p) {
  return *p;
}
template <class V>
void store_flow(V* p, V a) {
  *p = a;
}
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
// Time passes when somebody asks for it.
inline unsigned long long emulated_time = 0;
inline unsigned long long time_ns() { return ++emulated_time; }
inline void pause_thread() { EmulatedBlock::current_block->pass_on(); }
inline void sync_warp() { EmulatedBlock::current_block->wait_for_warp(); }
inline void join_workers() { EmulatedBlock::current_block->wait_for_part(256); }

struct Gate {
  signed char arrivals, missing, phase, unused;
  std::int32_t bytes;
  void turn() {
    if (missing > 0 || bytes > 0) return;
    missing = arrivals;
    phase ^= 1;
  }
};
inline void gate_init(Gate* gate, int arrivals) {
  const auto count = static_cast<signed char>(arrivals);
  *gate = {count, count, 0, 0, 0};
}
inline void gate_arrive(Gate* gate) {
  --gate->missing;
  gate->turn();
}
inline void gate_wait(Gate* gate, unsigned parity) {
  while (gate->phase == static_cast<int>(parity)) pause_thread();
}
constexpr int stream_arrivals = 1;
inline void gates_are_ready() {}
inline void stream_begin(Gate* gate, unsigned bytes) {
  gate->bytes += static_cast<std::int32_t>(bytes);
  gate_arrive(gate);
}
inline void stream_copy(void* to, const void* from, unsigned bytes, Gate* gate) {
  std::memcpy(to, from, bytes);
  gate->bytes -= static_cast<std::int32_t>(bytes);
  gate->turn();
}
inline void stream_end(Gate*) {}

}  // namespace echelon
