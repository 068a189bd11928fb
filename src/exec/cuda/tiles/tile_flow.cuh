// exec/cuda/tiles/tile_flow.cuh -- publish and poll numbers between the blocks of method tree, on
// one GPU or several.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol: see exec/cuda/tiles/tile_pass.cuh.
#pragma once

#include "exec/cuda/tiles/tile_ring.cuh"

namespace echelon {

template <class T, class S, int R, bool MultiGpu = false>
struct TileFlow : TileRing<T, S, R, MultiGpu> {
  using Ring = TileRing<T, S, R, MultiGpu>;
  using Ring::parts, Ring::ahead, Ring::flow, Ring::flow_size, Ring::sums_place, Ring::more,
      Ring::vectors, Ring::count, Ring::state, Ring::share, Ring::lane, Ring::worker, Ring::zero;
  using typename Ring::Word, typename Ring::Block, typename Ring::Tile, typename Ring::Turn,
      typename Ring::Target;

  // One word of an item, loaded by each thread before it is stored in shared memory.
  struct ItemWord {
    Index* to = nullptr;
    Index word = 0;
    __device__ void store() const {
      if (to != nullptr) *to = word;
    }
  };

  // --- One number.

  __device__ static bool is_there(T a) {
    if constexpr (parts == 1)
      return !is_empty_word(a);
    else
      return !is_empty_word(a.re) && !is_empty_word(a.im);
  }
  __device__ static T not_empty(T a) {
    if constexpr (parts == 1)
      return not_empty_word(a);
    else
      return {not_empty_word(a.re), not_empty_word(a.im)};
  }
  // Loads a word that a block of this GPU or of another GPU has written.
  __device__ static Word load_word(const Word* p) {
    if constexpr (MultiGpu)
      return load_far(p);
    else
      return load_flow(p);
  }
  __device__ static T poll(const Turn& turn, Offset place, int r) {
    const Word* const p = turn.now + (place * R + r) * parts;
    if constexpr (parts == 1)
      return load_word(p);
    else
      return {load_word(p), load_word(p + 1)};
  }
  struct One {
    T a;
    __device__ bool there() const { return is_there(a); }
  };
  // Two adjacent numbers.
  struct Two {
    T a, b;
    __device__ bool there() const { return is_there(a) && is_there(b); }
    __device__ T sum() const { return a + b; }
  };
  __device__ static Two none() { return {zero(), zero()}; }
  __device__ static Two look_twice(const Turn& turn, Offset place, int r) {
    if constexpr (R == 1 && parts == 1) {
      Two two;
      if constexpr (MultiGpu)
        load_far(turn.now + place, two.a, two.b);
      else
        load_flow(turn.now + place, two.a, two.b);
      return two;
    } else {
      return {poll(turn, place, r), poll(turn, place + 1, r)};
    }
  }
  __device__ T consume(const Turn& turn, Offset place, int r) const {
    T seen = poll(turn, place, r);
    for (unsigned tries = 1; !is_there(seen); ++tries) {
      if (tries % 256 == 0 && gives_up(turn)) break;
      pause_thread();
      seen = poll(turn, place, r);
    }
    return seen;
  }
  __device__ bool gives_up(const Turn& turn) const {
    if (load_flow(&state->given_up) == 0) {
      if (nanoseconds() < turn.deadline) return false;
      store_flow(&state->given_up, 1u);
    }
    raise_status(vectors.status, status_gave_up);
    return true;
  }
  __device__ static void publish(const Turn& turn, Offset place, int r, T a) {
    Word* const now = turn.now + (place * R + r) * parts;
    Word* const next = turn.next + (place * R + r) * parts;
    a = not_empty(a);
    if constexpr (parts == 1) {
      store_flow(now, a);
      *next = empty_word(a);
    } else {
      store_flow(now, a.re);
      store_flow(now + 1, a.im);
      next[0] = next[1] = empty_word(a.re);
    }
  }
  // The same to another PE, which empties the slot itself.
  __device__ void hand_far(Index pe, Offset place, int r, T a) const {
    Word* const now = share.flow[pe] + share.copy * flow_size + (place * R + r) * parts;
    a = not_empty(a);
    if constexpr (parts == 1) {
      store_far(now, a);
    } else {
      store_far(now, a.re);
      store_far(now + 1, a.im);
    }
  }
  // Publishes number j of a task to all its targets on other PEs.
  __device__ void publish_remote(const Tile& tile, Index j, int r, T a) const {
    for (Index k = tile.target; k < tile.target_end; ++k) {
      const RemoteTarget t = share.target[k];
      hand_far(t.pe, t.list < 0 ? t.place + t.stride * j : share.list[t.list + j], r, a);
    }
  }
  // Publishes to this PE or to another one.
  __device__ void hand_to(const Turn& turn, Target target, int r, T a) const {
    if constexpr (MultiGpu) {
      if (target >> 32 != 0)
        return hand_far(static_cast<Index>(target >> 32) - 1, static_cast<std::uint32_t>(target), r,
                        a);
    }
    publish(turn, target, r, a);
  }
  __device__ T given_side(Index position, int r) const {
    T given = zero();
    if (r < count) given = vectors.given(position, r);
    return given;
  }
  __device__ T right_side(Index position, int r) const {
    return vectors.scaled(given_side(position, r));
  }
  __device__ void store_answer(Index position, int r, T a) const {
    if (r < count) vectors.store(position, r, a);
  }

  // --- Many.

  // Calls look_at(a) for each number that is not there() yet, until all are, or after a timeout.
  template <class Seen, int N, class Look>
  __device__ void ask_until_there(const Turn& turn, Seen (&seen)[N], const Look& look_at) const {
    for (unsigned tries = 1;; ++tries) {
      bool all = true;
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const bool there = seen[a].there();
        all = all && there;
        if (!there) seen[a] = look_at(a);
      }
      if (all || (tries % 256 == 0 && gives_up(turn))) return;
      pause_thread();
    }
  }
  // Calls body(integral_constant N), where N is the number of loads in flight per thread: 1 if
  // there is at most one number per thread, else `ahead`.
  template <class Body>
  __device__ static void with_ahead(Index total, const Body& body) {
    if (R == 1 && total <= tile_threads)
      body(std::integral_constant<int, 1>());
    else
      body(std::integral_constant<int, ahead>());
  }
  // Calls body(first index) for this thread's part of `total` numbers, N at a time; at least once.
  template <int N, class Body>
  __device__ static void for_each_batch(Index total, const Body& body) {
    Index begin = worker();
    do body(begin);
    while ((begin += N * tile_threads) < total);
  }

  // --- Numbers that other tasks published for an entry of a task's vector.

  __device__ static Offset slot_of(const Tile& tile, Index entry, Index pair) {
    return tile.slots + 2 * (Offset{pair} * (tile.own + tile.outside) + entry);
  }
  // The sum over an entry's list of further slots.  Not inlined: a rare case should not cost the
  // caller registers.
  ECHELON_NOINLINE T take_more(Turn turn, Index at, Index entry, int r) const {
    const Index* const list = more + at + entry;
    T sum = zero();
    for (Index i = list[0]; i < list[1]; ++i) sum = sum + consume(turn, more[i], r);
    return sum;
  }

  // --- Sums.

  // Returns the sum of an entry over its slots in shared memory and resets them to zero.
  __device__ static T take_slots(T* a, Index slots) {
    T slot[TileShape::warps], sum = zero();
    ECHELON_UNROLL
    for (int s = 0; s < TileShape::warps; ++s) slot[s] = s < slots ? a[s * 32 * R] : zero();
    ECHELON_UNROLL
    for (int s = 0; s < TileShape::warps; ++s) {
      sum = sum + slot[s];
      if (s < slots) a[s * 32 * R] = zero();
    }
    return sum;
  }
  // The sum of entry i, of `numbers` entries of an item, over its slots in shared memory, which are
  // reset to zero, and over the earlier parts of the tile.  Returns false if a later part adds up.
  __device__ bool add_up(const Turn& turn, const Tile& tile, T* slot_of_i, Index slots, Index i,
                         Index numbers, T& sum) const {
    sum = take_slots(slot_of_i, slots);
    if (tile.parts == 1) return true;
    const Offset place = sums_place + tile.sums + i / R;
    const int r = i % R;
    if (tile.part + 1 < tile.parts) {
      publish(turn, place + tile.part * numbers, r, sum);
      return false;
    }
    One other[TileShape::most_parts - 1];
    const auto look_at = [&](int p) {
      return One{p + 1 < tile.parts ? poll(turn, place + p * numbers, r) : zero()};
    };
    ECHELON_UNROLL
    for (int p = 0; p + 1 < TileShape::most_parts; ++p) other[p] = look_at(p);
    ask_until_there(turn, other, look_at);
    ECHELON_UNROLL
    for (int p = 0; p + 1 < TileShape::most_parts; ++p) sum = sum + other[p].a;
    return true;
  }
};

}  // namespace echelon
