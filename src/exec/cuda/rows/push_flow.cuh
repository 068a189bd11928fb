// exec/cuda/rows/push_flow.cuh -- method element_column (ELMC): a column is solved once all columns
// that push to it have done so.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A column that pushes to z(k) decrements missing[k] afterwards, with a fence in between
// (release).  One lane of column k polls missing[k] until it is zero; after a fence (acquire) z(k)
// is complete.  From then on no other column accesses z(k) or missing[k] in this solve, so column k
// resets both at once for the next solve.  A warp barrier separates the steps of a column: its
// lanes push all its vectors before the first lanes decrement `missing`, and all its lanes read
// z(k) before one of them resets it. exec/cuda/rows/list_flow.cuh says which warp runs which
// columns and why no warp waits forever.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithm 4.
#pragma once

#include "exec/cuda/rows/list_flow.cuh"

namespace echelon {

template <class T>
struct PushFlow : ListFlow<T> {
  using Flow = ListFlow<T>;
  using Flow::lane, Flow::zero;
  using typename Flow::List;

  const unsigned* uses;  // by position: number of columns that push to it
  unsigned* missing;     // by position: columns that have not pushed yet

  __device__ void run() const {
    const unsigned long long until = this->grid.deadline();
    this->run_items([&](Offset item) { return solve_item(until, item); }, [] {});
  }

 private:
  __device__ bool solve_item(unsigned long long until, Offset item) const {
    const List list = this->fetch_item(item);
    const bool leads = list.there && lane() == this->first_lane_of(list);
    const unsigned uses_of_k = leads ? uses[list.k] : 0;
    unsigned waiting = ballot(leads);  // columns, by their first lanes
    for (unsigned tries = 1;; ++tries) {
      const bool ready = leads && this->is_in(waiting, list) && is_complete(list);
      const unsigned solved = ballot(ready);
      if (solved != 0) {
        solve_columns(list, list.mine && this->is_in(solved, list));
        if (ready) missing[list.k] = uses_of_k;
        waiting &= ~solved;
      }
      if (waiting == 0) return true;
      if (this->gives_up(tries, until)) return false;
      pause_thread();
    }
  }
  __device__ bool is_complete(const List& list) const {
    if (load_flow(missing + list.k) != 0) return false;
    fence_blocks();
    return true;
  }
  // Solves the columns of the lanes with `yes`.  All lanes of the warp call this.
  __device__ void solve_columns(const List& list, bool yes) const {
    T x = zero();
    if (yes) {
      x = this->pushed_answer(list);
      this->push(list, x);
    }
    sync_warp();
    if (!yes) return;
    if (this->vector() == 0) {
      fence_blocks();
      this->for_each_entry(list, [&](Index k, T) {
        DeviceAtomic<unsigned>(missing[k]).fetch_sub(1, order::memory_order_relaxed);
      });
    }
    this->leave(list, x);
  }
};

}  // namespace echelon
