// exec/cuda/pull_flow.cuh -- ELMR: a row is solved as soon as the numbers it needs are there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Answers are handed on by position, in one of two copies of z, as those of
// exec/cuda/tile_pass.cuh are: this solve uses the copy that `turn` says, where an answer that is
// not there yet is a NaN of its own (all bits set) that none is stored as.  A reader reads until he
// finds a number: no flag, no fence.  Meanwhile the other copy is emptied for the next solve: as
// far as the last one filled it, which may have been for another number of vectors.  The last block
// turns the copies round.  Who takes what and why none waits for ever: exec/cuda/list_flow.cuh.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithm 3.
#pragma once

#include "exec/cuda/list_flow.cuh"

namespace echelon {

template <class T>
struct PullFlow : ListFlow<T> {
  using Flow = ListFlow<T>;
  using Flow::lists, Flow::width_bits, Flow::state, Flow::z, Flow::zero, Flow::at, Flow::is_first;
  using typename Flow::List;

  Offset copy_size;  // numbers of each copy in z

  struct Turn {
    T* now;
    T* next;
    Offset dirty;  // of the next
    unsigned long long until;
  };
  // Numbers for the entries at hand; there are some where there is no entry.
  struct Seen {
    T a[entries_ahead];
  };

  __device__ void run() const {
    const unsigned turn = load_flow(&state->turn);
    const Turn now{z + turn * copy_size, z + (1 - turn) * copy_size, state->dirty[1 - turn],
                   this->deadline()};
    this->run_items([&](Offset item) { return solve_item(now, item); },
                    [&] {
                      state->dirty[turn] = Offset{lists.n} << width_bits;
                      state->dirty[1 - turn] = 0;
                      state->turn = 1 - turn;
                    });
  }

 private:
  __device__ bool solve_item(const Turn& turn, Offset item) const {
    List list = this->fetch_item(item);
    empty_next(turn, list);
    Seen seen = none_of(list);
    T sum = zero();
    bool waits = list.mine;
    const unsigned all = this->first_lanes(list);
    unsigned done = 0, waiting = ~0u;  // lists, and lanes
    for (unsigned tries = 1;; ++tries) {
      if (waits) waits = !take(turn, list, seen, sum);
      const unsigned before = waiting;
      waiting = lanes_with(waits);
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
  // Looks for what is not there; once all is, adds it up.  True after the last entries.
  __device__ bool take(const Turn& turn, List& list, Seen& seen, T& sum) const {
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
    hand_on(turn.now + at(list.k), x);
    this->store(list, x);
  }
  // This list's share of it, for lanes of vectors that are not there too.
  __device__ void empty_next(const Turn& turn, const List& list) const {
    if (!list.there || !is_first(list)) return;
    const Offset shares = Offset{lists.n} << width_bits;
    for (Offset p = at(list.k); p < turn.dirty; p += shares) turn.next[p] = empty_number(zero());
  }
};

}  // namespace echelon
