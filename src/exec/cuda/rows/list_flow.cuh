// exec/cuda/rows/list_flow.cuh -- one launch for all rows or columns, whose warps wait for each
// other: distribution of tasks, forward progress and timeout.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The tasks are distributed round-robin over the warps of a resident grid.  Each warp
// runs its tasks in ascending order of positions.
//
// Forward progress.  A list depends only on lists at lower positions.  A warp polls all its lists
// in turn and solves each list as soon as that list's own inputs are there.  So the first unsolved
// list belongs to a task that some warp is running, and its inputs are all there: no cycle of waits
// can form, for any grid.
//
// Way out: see exec/cuda/runtime/grid_state.cuh.
#pragma once

#include "exec/cuda/rows/list_pass.cuh"
#include "exec/cuda/runtime/flow_copies.cuh"

namespace echelon {

constexpr int list_threads = 128;  // per block: few, so that narrow levels spread over the device

template <class T>
struct ListFlow : ListPass<T> {
  using ListPass<T>::lists, ListPass<T>::width_bits, ListPass<T>::lane;
  using typename ListPass<T>::List;

  const ListTask* task;
  Index tasks;
  GridState grid;

  // Called by all lanes of the warp.  Returns true if the warp has to stop waiting; checks only
  // once per 256 tries.
  __device__ bool gives_up(unsigned tries, unsigned long long until) const {
    return tries % 256 == 0 && grid.warp_gives_up(until);
  }

  // The list of this lane in an item.  A task has 2^width_bits items, because the lanes for the
  // vectors leave lanes for fewer lists.
  __device__ List fetch_item(Offset item) const {
    const ListTask t = task[item >> width_bits];
    const Index end = task[(item >> width_bits) + 1].first;
    const Index bits = clip_lanes(t.lane_bits, width_bits);
    const Index part = static_cast<Index>(item) & ((1 << width_bits) - 1);
    const Offset k = t.first + (Offset{part} << (lane_bits_of_a_warp - bits - width_bits)) +
                     (lane() >> (bits + width_bits));
    return this->fetch(static_cast<Index>(min(k, Offset{end})), k < end, bits);
  }
  // Calls solve(item) for each item of this warp, until one returns false.  The last block to
  // finish calls end().
  template <class Solve, class End>
  __device__ void run_items(const Solve& solve, const End& end) const {
    constexpr int warps = list_threads / 32;
    const Offset blocks = blocks_of_grid(), items = Offset{tasks} << width_bits;
    Offset item = static_cast<Offset>(threadIdx.x / 32) * blocks + blockIdx.x;
    if (!grid.warp_has_to_stop())
      while (item < items && solve(item)) item += blocks * warps;
    __syncthreads();
    if (threadIdx.x == 0 && grid.ends_last()) end();
  }

  // --- The lists of a warp, all with the same number of lanes.  A list's first lane stands for it
  // in a mask.

  __device__ unsigned first_lanes(const List& list) const {
    return ~0u / ((2u << ((1 << this->group_bits(list)) - 1)) - 1);
  }
  __device__ int first_lane_of(const List& list) const {
    return lane() & ~((1 << this->group_bits(list)) - 1);
  }
  // The lists whose lanes are all set in `lanes`.
  __device__ unsigned lists_with(unsigned lanes, const List& list) const {
    for (int step = 1; step < 1 << this->group_bits(list); step *= 2) lanes &= lanes >> step;
    return lanes & first_lanes(list);
  }
  __device__ bool is_in(unsigned which, const List& list) const {
    return (which >> first_lane_of(list) & 1) != 0;
  }
};

}  // namespace echelon
