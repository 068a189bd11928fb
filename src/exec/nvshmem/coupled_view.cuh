// exec/nvshmem/coupled_view.cuh -- the common part of the coupled design's kernels: the lists of
// one direction, the memory of one pass, and waits with a deadline.
// SPDX-License-Identifier: BSD-3-Clause
//
// Way out.  A thread that waits past its deadline sets `given_up` and writes the awaited item to
// the alarm.  All waiting threads poll `given_up` from time to time and stop too.  A thread that
// stops adds and sends nothing, so no incomplete sum is ever taken as complete.
//
// Needs the functions of exec/nvshmem/coupled_wire.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/runtime/device_scalar.cuh"
#include "exec/cuda/runtime/device_sync.cuh"
#include "exec/nvshmem/coupled_lists.hpp"

namespace echelon {

constexpr int coupled_warps = 8;
constexpr int coupled_threads = 32 * coupled_warps;

enum class Awaited : int { nothing, answers, sum, finish };

// In host memory.
struct CoupledAlarm {
  Awaited what = Awaited::nothing;
  Index node = -1;
  Index pe = -1;  // -1: unknown
};

// T is a DeviceScalar, S its real type.
template <class T, class S>
struct CoupledView {
  // The pass.
  bool forwards;
  Index count;                    // right-hand sides
  Signal pass;                    // counted from 1
  unsigned long long timeout_ns;  // 0: no deadline
  Index me;

  // The plan, see LocalPlan.
  Index nodes, size;
  const Index* start;
  const Offset* row_start;
  const Offset* value_start;
  const Index* block_start;
  const LocalPlan::Block* block;
  const Index* row;
  const Offset* diagonal;  // by node: its first value; -1: on another PE
  const BlockForm* form;   // by node
  const S* value;
  const S* diagonal_value;

  // The lists of this direction.
  const Index* task;
  const Index* needs;
  const Offset* received_start;
  const CoupledMessage* message;
  const Index* child_start;
  const CoupledTarget* child;
  const CoupledTarget* parent;
  Index tasks, messages;
  Index* pending;  // size messages: a list per thread of WAIT, messages still to come first

  // PEs that receive from this one, and PEs that send to it, in either direction.
  const Index* receiver;
  const Index* sender;
  Index receivers, senders;

  // Memory that other PEs write.
  Signal* finished;  // by PE: the last pass it has finished
  Signal* signal;    // of this pass's copy
  T* copy;

  // Memory of this PE.
  Index* missing;  // by node: fmod
  Signal* ready;   // by node: the last pass whose answers are here
  const T* right;  // vectors of `size` numbers, consecutive
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

  // --- Waiting.  Called by one thread.

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
  // Returns false if given up.
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
  // Terms that this thread, or others before a barrier, added to the sum of c precede the
  // decrement.
  __device__ bool one_less(Index c) const {
    fence_blocks();
    return DeviceAtomic<Index>(missing[c]).fetch_sub(1, order::memory_order_acq_rel) == 1;
  }
  // Forwards; the thread that finds the sum complete sends it, as in the paper.
  __device__ void count_down(Index c) const {
    if (!one_less(c) || parent[c].pe < 0) return;
    const CoupledTarget to = parent[c];
    put_by_thread(at(to.place), sum_of(c), bytes_of(c), to.pe);
    order_puts();
    signal_remote(signal + to.signal, pass, to.pe);
  }
};

}  // namespace echelon
