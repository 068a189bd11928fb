// exec/cuda/push_flow.cuh -- ELMC: a column is solved when as many others have pushed to it as
// there are to do so.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Who pushes to z(k) lowers `missing` of k afterwards, with a fence between (release);
// one lane of column k reads `missing` until it is zero, then comes a fence (acquire) and z(k) is
// complete.  By then nobody comes there any more in this solve, so z(k) and `missing` are set back
// at once for the next.  A warp's barrier stands between the lanes of a column: all of its vectors
// are pushed before it tells, all of its lanes have read z(k) before it is set back.  Who takes
// what and why none waits for ever: exec/cuda/list_flow.cuh.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithm 4.
#pragma once

#include "exec/cuda/list_flow.cuh"

namespace echelon {

template <class T>
struct PushFlow : ListFlow<T> {
  using Flow = ListFlow<T>;
  using Flow::lane, Flow::zero;
  using typename Flow::List;

  const unsigned* uses;  // by position: who pushes there
  unsigned* missing;     // of those, still to come

  __device__ void run() const {
    const unsigned long long until = this->deadline();
    this->run_items([&](Offset item) { return solve_item(until, item); }, [] {});
  }

 private:
  __device__ bool solve_item(unsigned long long until, Offset item) const {
    const List list = this->fetch_item(item);
    const bool leads = list.there && lane() == this->first_lane_of(list);
    const unsigned uses_of_k = leads ? uses[list.k] : 0;
    unsigned waiting = lanes_with(leads);  // columns, by their first lanes
    for (unsigned tries = 1;; ++tries) {
      const bool ready = leads && this->is_in(waiting, list) && is_complete(list);
      const unsigned solved = lanes_with(ready);
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
  // Those of the lanes that say yes; the whole warp comes here.
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
