// exec/cuda/rows/pull_flow.cuh -- method element_row (ELMR): a row is solved once the answers it
// needs are published.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Rows publish their answers by position, in one of two copies of z
// (exec/cuda/runtime/flow_copies.cuh).  An answer that is not yet published is the empty NaN (all
// bits set), which no row publishes.  A consumer polls until the word is not empty: no flag, no
// fence. exec/cuda/rows/list_flow.cuh says which warp runs which rows and why no warp waits
// forever.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithm 3.
#pragma once

#include "exec/cuda/rows/list_flow.cuh"

namespace echelon {

template <class T>
struct PullFlow : ListFlow<T> {
  using Flow = ListFlow<T>;
  using Flow::lists, Flow::width_bits, Flow::grid, Flow::z, Flow::zero, Flow::at, Flow::is_first;
  using typename Flow::List;

  Offset copy_size;  // slots per copy of z

  struct Turn : FlowCopies<T> {
    unsigned long long until;
  };
  // The answers for the loaded entries; zero where there is no entry.
  struct Seen {
    T a[entries_ahead];
  };

  __device__ void run() const {
    const Turn turn{{z, copy_size, Offset{lists.n} << width_bits, grid.words}, grid.deadline()};
    this->run_items([&](Offset item) { return solve_item(turn, item); },
                    [&] { turn.turn_round(grid.words); });
  }

 private:
  __device__ bool solve_item(const Turn& turn, Offset item) const {
    List list = this->fetch_item(item);
    if (list.there && is_first(list)) turn.empty_next(at(list.k));  // also slots of absent vectors
    Seen seen = none_of(list);
    T sum = zero();
    bool waits = list.mine;
    const unsigned all = this->first_lanes(list);
    unsigned done = 0, waiting = ~0u;  // lists; lanes
    for (unsigned tries = 1;; ++tries) {
      if (waits) waits = !consume(turn, list, seen, sum);
      const unsigned before = waiting;
      waiting = ballot(waits);
      if (waiting != before) {
        const unsigned ready = this->lists_with(~waiting, list) & ~done;
        const T total = this->sum_over_entries(sum, list);
        if (this->is_in(ready, list) && list.mine && is_first(list)) finish(turn, list, total);
        done |= ready;
        if (done == all) return true;
      }
      if (this->gives_up(tries, turn.until)) return false;
      pause_thread();
    }
  }

  __device__ Seen none_of(const List& list) const {
    Seen seen;
    ECHELON_UNROLL
    for (int a = 0; a < entries_ahead; ++a)
      seen.a[a] = list.place[a] < 0 ? zero() : empty_number(zero());
    return seen;
  }
  // Polls the answers that are still missing; once all are there, adds them up.  Returns true after
  // the last entries.
  __device__ bool consume(const Turn& turn, List& list, Seen& seen, T& sum) const {
    ECHELON_UNROLL
    for (int a = 0; a < entries_ahead; ++a)
      if (!is_there(seen.a[a])) seen.a[a] = look_for(turn.now + at(list.place[a]));
    bool all = true;
    ECHELON_UNROLL
    for (int a = 0; a < entries_ahead; ++a) all = all && is_there(seen.a[a]);
    if (!all) return false;
    ECHELON_UNROLL
    for (int a = 0; a < entries_ahead; ++a)
      if (list.place[a] >= 0) sum = multiply_add(list.value[a], seen.a[a], sum);
    if (list.next >= list.end) return true;
    this->fetch_more(list);
    seen = none_of(list);
    return false;
  }
  __device__ void finish(const Turn& turn, const List& list, T sum) const {
    const T x = lists.divide_by(list.given - sum, list.diagonal);
    publish(turn.now + at(list.k), x);
    this->store(list, x);
  }
};

}  // namespace echelon
