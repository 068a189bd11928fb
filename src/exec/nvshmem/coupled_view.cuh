// exec/nvshmem/coupled_view.cuh -- what the kernels of the coupled design share: the lists of one
// way, the memory of one pass, and waiting that ends.
// SPDX-License-Identifier: BSD-3-Clause
//
// Way out.  Who has waited for longer than `timeout_ns` raises `given_up` and says in the alarm
// what for.  All who wait look at that word now and then and stop too.  Who stops adds and sends
// nothing, so no sum that lacks something is ever taken for complete.
//
// Needs the names of exec/nvshmem/coupled_wire.cuh, or what a test gives for them.
#pragma once

#include "exec/cuda/runtime/device_scalar.cuh"
#include "exec/cuda/runtime/device_sync.cuh"
#include "exec/nvshmem/coupled_lists.hpp"

namespace echelon {

constexpr int coupled_warps = 8;
constexpr int coupled_threads = 32 * coupled_warps;

enum class Awaited : int { nothing, answers, sum, finish };

// In memory of the host.
struct CoupledAlarm {
  Awaited what = Awaited::nothing;
  Index node = -1;
  Index pe = -1;  // -1: not known
};

// T is a DeviceScalar, S its real type.
template <class T, class S>
struct CoupledView {
  // The pass.
  bool forwards;
  Index count;                    // right-hand sides
  Signal pass;                    // from 1 on
  unsigned long long timeout_ns;  // in nanoseconds; 0: without end
  Index me;

  // The plan, as LocalPlan has it.
  Index nodes, size;
  const Index* start;
  const Offset* row_start;
  const Offset* value_start;
  const Index* block_start;
  const LocalPlan::Block* block;
  const Index* row;
  const Offset* diagonal;  // by node: its first value; -1: another PE has it
  const BlockForm* form;   // by node
  const S* value;
  const S* diagonal_value;

  // The lists of this way.
  const Index* task;
  const Index* needs;
  const Offset* received_start;
  const CoupledMessage* message;
  const Index* child_start;
  const CoupledTarget* child;
  const CoupledTarget* parent;
  Index tasks, messages;
  Index* pending;  // size messages: each thread of WAIT has its own, those still to come first

  // PEs that get from this one, or send to it, one way or the other.
  const Index* receiver;
  const Index* sender;
  Index receivers, senders;

  // Memory others write to.
  Signal* finished;  // by PE: the last pass it has finished
  Signal* signal;    // of this pass's copy
  T* copy;

  // Memory of this PE.
  Index* missing;  // by node: fmod
  Signal* ready;   // by node: the pass whose answers are here
  const T* right;  // vectors of `size` numbers, one after the other
  T* answer;
  unsigned* ticket;
  unsigned* given_up;
  CoupledAlarm* alarm;

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static T zero() { return zero_of(T{}); }
  static constexpr Offset parts = sizeof(T) / sizeof(S);

  __device__ Index width(Index c) const { return start[c + 1] - start[c]; }
  __device__ Index height(Index c) const {
    return static_cast<Index>(row_start[c + 1] - row_start[c]);
  }
  __device__ T* at(Offset place) const { return copy + place * count; }
  __device__ T* x_of(Index c) const { return at(start[c]); }
  __device__ T* sum_of(Index c) const { return at(Offset{size} + start[c]); }
  __device__ std::size_t bytes_of(Index c) const {
    return static_cast<std::size_t>(width(c)) * count * sizeof(T);
  }

  // --- Waiting.  All of these are for one thread.

  __device__ bool is_given_up() const {
    return DeviceAtomic<unsigned>(*given_up).load(order::memory_order_relaxed) != 0;
  }
  __device__ void give_up(Awaited what, Index node, Index pe) const {
    if (DeviceAtomic<unsigned>(*given_up).exchange(1, order::memory_order_relaxed) != 0) return;
    auto* const said = static_cast<volatile CoupledAlarm*>(alarm);
    said->what = what;
    said->node = node;
    said->pe = pe;
  }
  // False: given up.
  template <class There>
  __device__ bool wait_until(const There& there, Awaited what, Index node, Index pe) const {
    constexpr unsigned looks_every = 64;
    unsigned long long deadline = ~0ull;
    for (unsigned spin = 0; !there(); ++spin) {
      pause_thread();
      if (spin % looks_every != 0) continue;
      if (is_given_up()) return false;
      if (timeout_ns == 0) continue;
      const unsigned long long now = nanoseconds();
      if (deadline == ~0ull) deadline = now + timeout_ns;
      if (now <= deadline) continue;
      give_up(what, node, pe);
      return false;
    }
    return true;
  }
  __device__ bool answer_comes(Index c) const {
    return wait_until(
        [&] { return DeviceAtomic<Signal>(ready[c]).load(order::memory_order_acquire) == pass; },
        Awaited::answers, c, -1);
  }
  __device__ bool sum_comes(Index c) const {
    return wait_until(
        [&] { return DeviceAtomic<Index>(missing[c]).load(order::memory_order_acquire) == 0; },
        Awaited::sum, c, -1);
  }

  // --- Sums.

  __device__ static void add_to(S* sum, S a) { atomicAdd(sum, a); }
  __device__ static void add_to(DeviceComplex<S>* sum, DeviceComplex<S> a) {
    atomicAdd(&sum->re, a.re);
    atomicAdd(&sum->im, a.im);
  }
  // What this thread, or others before a barrier, added to the sum of c is in it.
  __device__ bool one_less(Index c) const {
    fence_blocks();
    return DeviceAtomic<Index>(missing[c]).fetch_sub(1, order::memory_order_acq_rel) == 1;
  }
  // Forwards: by the one thread that finds the sum complete, as the paper has it.
  __device__ void count_down(Index c) const {
    if (!one_less(c) || parent[c].pe < 0) return;
    const CoupledTarget to = parent[c];
    put_by_thread(at(to.place), sum_of(c), bytes_of(c), to.pe);
    order_puts();
    signal_remote(signal + to.signal, pass, to.pe);
  }
};

}  // namespace echelon
