// tests/exec/emulated_wire.hpp -- exec/nvshmem/coupled_wire.cuh for PEs that are blocks on the CPU:
// puts complete at once, and a waiting thread lets the others run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "echelon/types.hpp"
#include "exec/emulated_block.hpp"

namespace echelon {

using Signal = std::uint64_t;

struct EmulatedPes {
  std::vector<char*> memory;  // by PE
  std::size_t blocks = 1;     // per PE
  std::vector<int> votes;     // by block

  std::size_t here() const { return EmulatedBlock::current_block->block() / blocks; }
  template <class V>
  V* there(V* at, Index pe) const {
    return reinterpret_cast<V*>(memory[pe] + (reinterpret_cast<char*>(at) - memory[here()]));
  }
};
inline EmulatedPes emulated_pes;

inline void put_by_thread(void* to, const void* from, std::size_t bytes, Index pe) {
  std::memcpy(emulated_pes.there(static_cast<char*>(to), pe), from, bytes);
}
inline void put_by_block(void* to, const void* from, std::size_t bytes, Index pe) {
  __syncthreads();
  if (threadIdx.x == 0) put_by_thread(to, from, bytes, pe);
  __syncthreads();
}
inline void order_puts() {}
inline void signal_remote(Signal* at, Signal value, Index pe) {
  *emulated_pes.there(at, pe) = value;
}
inline Signal peek(const Signal* at) { return *at; }
inline bool has_come(const Signal* at, Signal value) { return *at >= value; }
inline int threads_with(bool yes) {
  int& votes = emulated_pes.votes[EmulatedBlock::current_block->block()];
  if (yes) ++votes;
  __syncthreads();
  const int all = votes;
  __syncthreads();
  votes = 0;
  __syncthreads();
  return all;
}
inline unsigned ballot(bool yes) { return EmulatedBlock::current_block->ballot(yes); }
inline int first_lane(unsigned lanes) { return std::countr_zero(lanes); }
inline void sync_warp() { EmulatedBlock::current_block->wait_for_warp(); }
inline void pause_thread() { EmulatedBlock::current_block->pass_on(); }

}  // namespace echelon
