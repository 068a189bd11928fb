// exec/cuda/list_flow.cuh -- one launch for all rows or columns, whose warps wait for each other:
// who takes what, and how they end.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Warps of a resident grid take tasks in turn, each in rising order of positions, and a
// list needs lists at positions before its own alone.  In a warp every list is looked after in
// turn, and is done as soon as its own needs are met.  So the first list that is not done is in
// some warp's hands, and nothing holds it: no cycle of waiting can form, for any grid.
//
// Way out.  Who waits beyond the deadline says so in `status` and `given_up`; the others look there
// every so often and follow.  What such a solve left behind is taken away by the host; until then
// all solves give up.
#pragma once

#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/flow_copies.cuh"
#include "exec/cuda/list_pass.cuh"

namespace echelon {

constexpr int list_threads = 128;  // of a block: few, so that thin levels spread over the device

template <class T>
struct ListFlow : ListPass<T> {
  using ListPass<T>::lists, ListPass<T>::vectors, ListPass<T>::width_bits, ListPass<T>::lane;
  using typename ListPass<T>::List;

  const ListTask* task;
  Index tasks;
  FlowState* state;
  unsigned long long patience;  // nanoseconds; 0: for ever

  __device__ unsigned long long deadline() const {
    return patience == 0 ? ~0ull : nanoseconds() + patience;
  }
  // The whole warp: true if it is to stop waiting, which it asks itself once in a while.
  __device__ bool gives_up(unsigned tries, unsigned long long until) const {
    if (tries % 256 != 0) return false;
    const bool late = nanoseconds() >= until;
    if (late) store_flow(&state->given_up, 1u);
    return late_or_given_up(late);
  }

  // The list of this lane in a task; a task of more lists than fit the vectors comes in parts.
  __device__ List fetch_item(Offset item) const {
    const ListTask t = task[item >> width_bits];
    const Index end = task[(item >> width_bits) + 1].first;
    const Index bits = clip_lanes(t.lane_bits, width_bits);
    const Index part = static_cast<Index>(item) & ((1 << width_bits) - 1);
    const Offset k = t.first + (Offset{part} << (lane_bits_of_a_warp - bits - width_bits)) +
                     (lane() >> (bits + width_bits));
    return this->fetch(static_cast<Index>(min(k, Offset{end})), k < end, bits);
  }
  // Calls solve(item) for those of this warp, which is false if it is to stop; end() when the last
  // block is done.
  template <class Solve, class End>
  __device__ void run_items(const Solve& solve, const End& end) const {
    constexpr int warps = list_threads / 32;
    const Offset grid = blocks_of_grid(), items = Offset{tasks} << width_bits;
    Offset item = static_cast<Offset>(threadIdx.x / 32) * grid + blockIdx.x;
    if (!late_or_given_up(false))
      while (item < items && solve(item)) item += grid * warps;
    __syncthreads();
    if (threadIdx.x != 0 || count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    end();
  }

  // --- The lists of a warp, all with as many lanes: the first lane of each stands for it.

  __device__ unsigned first_lanes(const List& list) const {
    return ~0u / ((2u << ((1 << this->group_bits(list)) - 1)) - 1);
  }
  __device__ int first_lane_of(const List& list) const {
    return lane() & ~((1 << this->group_bits(list)) - 1);
  }
  // Those whose lanes all say yes.
  __device__ unsigned lists_with(unsigned lanes, const List& list) const {
    for (int step = 1; step < 1 << this->group_bits(list); step *= 2) lanes &= lanes >> step;
    return lanes & first_lanes(list);
  }
  __device__ bool is_in(unsigned which, const List& list) const {
    return (which >> first_lane_of(list) & 1) != 0;
  }

 private:
  __device__ bool late_or_given_up(bool late) const {
    if (lanes_with(late || load_flow(&state->given_up) != 0) == 0) return false;
    raise_status(vectors.status, status_gave_up);
    return true;
  }
};

}  // namespace echelon
