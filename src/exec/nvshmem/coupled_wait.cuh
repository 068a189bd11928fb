// exec/nvshmem/coupled_wait.cuh -- the kernel WAIT, a few thread blocks that receive all messages
// of a pass, and the kernels before and after a pass.
// SPDX-License-Identifier: BSD-3-Clause
//
// Messages are distributed to threads, and each thread polls the signals of its own.  Received
// answers are released through `ready`.  Forwards, the warp adds a child's sum to the sum of the
// row and decrements fmod, and sends the sum on when fmod is zero.  Backwards a child's sum stays
// in place for the block of the column, and only fmod is decremented.
#pragma once

#include "exec/nvshmem/coupled_view.cuh"

namespace echelon {

template <class T, class S>
struct CoupledWait : CoupledView<T, S> {
  using View = CoupledView<T, S>;
  using View::at, View::count, View::forwards, View::lane, View::message, View::messages,
      View::pass, View::timeout_ns, View::pending, View::ready, View::signal, View::sum_of,
      View::width;

  // Called by thread `worker` of `workers`.
  __device__ void run(Index worker, Index workers) const {
    Index left = worker < messages ? (messages - worker + workers - 1) / workers : 0;
    Index* const mine = pending + worker;  // this thread's are `workers` apart
    const unsigned long long deadline = timeout_ns == 0 ? ~0ull : nanoseconds() + timeout_ns;
    for (unsigned spin = 1; ballot(left > 0) != 0; ++spin) {
      const Index k = poll(mine, workers, left);
      const Index m = k < left ? mine[Offset{k} * workers] : -1;
      if (m >= 0) {
        --left;
        mine[Offset{k} * workers] = mine[Offset{left} * workers];
        mine[Offset{left} * workers] = m;
        take(m);
      }
      add_sums(m);
      if (spin % looks_every == 0 && must_stop(deadline, left > 0 ? mine[0] : -1)) return;
      pause_thread();
    }
  }

 private:
  static constexpr unsigned looks_every = 32;
  static constexpr int at_once = 4;  // signals loaded before the first is used

  // The index of a message among the first `left` that has arrived; `left` if none.
  __device__ Index poll(const Index* mine, Index workers, Index left) const {
    for (Index k = 0; k < left; k += at_once) {
      Signal seen[at_once];
      for (int q = 0; q < at_once; ++q)
        seen[q] = k + q < left ? peek(signal + mine[Offset{k + q} * workers]) : 0;
      for (int q = 0; q < at_once; ++q)
        if (seen[q] >= pass && has_come(signal + mine[Offset{k + q} * workers], pass)) return k + q;
    }
    return left;
  }
  __device__ void take(Index m) const {
    const CoupledMessage a = message[m];
    if (a.received < 0) {
      fence_blocks();
      DeviceAtomic<Signal>(ready[a.node]).store(pass, order::memory_order_release);
    } else if (!forwards) {
      this->one_less(a.node);
    }
  }
  // Forwards: all lanes together add the sums that each lane has received, one after the other.
  __device__ void add_sums(Index m) const {
    unsigned lanes = ballot(m >= 0 && forwards && message[m].received >= 0);
    sync_warp();  // makes a lane's received message visible to all lanes
    for (; lanes != 0; lanes &= lanes - 1) {
      const CoupledMessage a = message[__shfl_sync(~0u, m, first_lane(lanes))];
      T* const sum = sum_of(a.node);
      const T* const received = at(a.received);
      const Index numbers = width(a.node) * count;
      for (Index q = lane(); q < numbers; q += 32) this->add_to(sum + q, received[q]);
      sync_warp();
      if (lane() == 0) this->count_down(a.node);
    }
  }
  // Returns the same on all lanes.
  __device__ bool must_stop(unsigned long long deadline, Index m) const {
    bool stop = this->is_given_up();
    if (!stop && m >= 0 && nanoseconds() > deadline) {
      const CoupledMessage a = message[m];
      this->give_up(a.received < 0 ? Awaited::answers : Awaited::sum, a.node, a.from);
      stop = true;
    }
    return ballot(stop) != 0;
  }
};

// Before a pass: waits until this copy is free at the receivers; initializes fmod and the sums.
template <class T, class S>
struct CoupledBegin : CoupledView<T, S> {
  using View = CoupledView<T, S>;

  // Called by warp `worker` of `workers`, by all warps of a block.
  __device__ void run(Index worker, Index workers) const {
    if (threads_with(!receivers_are_through()) > 0) return;
    if (worker == 0 && View::lane() == 0) *View::ticket = 0;
    for (Index c = worker; c < View::nodes; c += workers) {
      if (View::lane() == 0) View::missing[c] = View::needs[c];
      const bool here = View::diagonal[c] >= 0;
      const Index at = View::start[c], w = View::width(c);
      T* const sum = View::sum_of(c);
      for (Index v = 0; v < View::count; ++v)
        for (Index i = View::lane(); i < w; i += 32)
          sum[Offset{i} * View::count + v] =
              here ? View::right[Offset{v} * View::size + at + i] : View::zero();
    }
  }

 private:
  __device__ bool receivers_are_through() const {
    if (View::pass <= 2) return true;
    for (Index k = static_cast<Index>(threadIdx.x); k < View::receivers; k += coupled_threads) {
      const Index pe = View::receiver[k];
      const auto has_finished = [&] { return has_come(View::finished + pe, View::pass - 2); };
      if (!View::wait_until(has_finished, Awaited::finish, -1, pe)) return false;
    }
    return true;
  }
};

// After a pass: notifies the senders that they may write here again.
template <class T, class S>
struct CoupledEnd : CoupledView<T, S> {
  using View = CoupledView<T, S>;

  __device__ void run(Index worker, Index workers) const {
    if (View::is_given_up()) return;
    for (Index k = worker; k < View::senders; k += workers)
      signal_remote(View::finished + View::me, View::pass, View::sender[k]);
  }
};

}  // namespace echelon
