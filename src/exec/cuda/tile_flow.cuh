// exec/cuda/tile_flow.cuh -- the numbers that blocks of the persistent solve hand to each other,
// and what its tiles have in common: parameters, the place of values, the ring.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocols: exec/cuda/tile_pass.cuh.
#pragma once

#include <type_traits>

#include "exec/cuda/device_plan.hpp"
#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/device_vectors.cuh"
#include "exec/cuda/tile_room.hpp"

namespace echelon {

constexpr int tile_workers = 32 * TileShape::warps;
constexpr int tile_threads = tile_workers + 32;

// What the blocks of a solve have in common, in device memory.
struct TileState {
  unsigned turn = 0;  // which copy of the flow is used next
  unsigned done = 0;  // blocks that ended
  unsigned given_up = 0;
};

// T is a DeviceScalar, S the real type values are stored in, R the right-hand sides of a pass.
template <class T, class S, int R>
struct TileFlow {
  static constexpr int parts = std::is_floating_point_v<T> ? 1 : 2;
  using Word = std::conditional_t<sizeof(T) / parts == 8, double, float>;

  DevicePlan plan;
  const BlockForm* form;
  const S* value;
  float kept;  // share of the values that had better stay in the cache
  const Index* item_start;
  const TileItem* items;
  const Index* chunk_start;
  const TileChunk* chunks;
  const TileSources::Pair* pair;
  const Index* more;
  bool pull;
  DeviceVectors<T> vectors;
  Index count;  // of them that there are, up to R
  Word* flow;   // two copies
  Offset flow_size;
  Offset answers, sums_place;  // in the flow, after what tasks say to each other
  T* scratch;  // vectors of subtrees that do not fit into shared memory: twice the space
  TileState* state;
  unsigned long long patience;  // nanoseconds; 0: for ever
  TileRoom room;

  // An item and what is known of it besides.
  struct Tile : TileItem {
    alignas(16) Index triangle;  // its inverse could not be trusted
  };
  struct Block {
    __device__ Block(char* shared, const TileRoom& room)
        : ring(shared),
          head(reinterpret_cast<TileChunk*>(shared + room.head)),
          full(reinterpret_cast<Gate*>(shared + room.gate)),
          free(full + TileShape::stages),
          tile(reinterpret_cast<Tile*>(shared + room.tile)),
          partial(reinterpret_cast<T*>(shared + room.partial)),
          vector(reinterpret_cast<T*>(shared + room.vector)),
          carried(reinterpret_cast<T*>(shared + room.carried)),
          subtree(reinterpret_cast<T*>(shared + room.tree)) {}
    char* ring;
    TileChunk* head;
    Gate* full;
    Gate* free;
    Tile* tile;          // this one and the next
    T* partial;          // [slot][32][R]; zero between tiles
    T* vector;           // right-hand sides or rows of the item
    T* carried;          // one right-hand side: what rows below carry on
    T* subtree;          // room for
    T* tree = nullptr;   // the present subtree's own | outside; pulling: answers, negative
    T* right = nullptr;  // pulling: its right-hand sides
    unsigned turn = 0;
    unsigned long long deadline = 0;
  };

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static Index worker() { return static_cast<Index>(threadIdx.x); }
  __device__ static T zero() { return zero_of(T{}); }
  static constexpr Index chunk_columns =
      TileShape::stage / (PanelShape::strip * parts * static_cast<Index>(sizeof(S)));
  // Strip k, counted from its own first value.
  __device__ static Strip shape_of(Index w, Index h, Index k) {
    constexpr Index r = PanelShape::strip, g = PanelShape::group;
    const Index begin = r * k, full = min(w, begin), rows = min(r, w + h - begin);
    return {begin, (rows + g - 1) / g * g, full, min(w - full, r), 0};
  }
  // Where a row lies in a stored column; complex numbers lie apart in groups of 8 rows.
  __device__ static Index row_offset(Index row) {
    return parts == 1 ? row : row / PanelShape::group * PanelShape::group + row;
  }
  __device__ static T read(const S* a) {
    if constexpr (parts == 1)
      return static_cast<T>(*a);
    else
      return {static_cast<Word>(a[0]), static_cast<Word>(a[PanelShape::group])};
  }

  // A word of an item on its way into shared memory; thread by thread.
  struct ItemWord {
    Index* to = nullptr;
    Index word = 0;
    __device__ void store() const {
      if (to != nullptr) *to = word;
    }
  };
  // Calls body(chunk, its values) for this warp's chunks up to `end`; `q` goes on from item to
  // item.
  template <class Body>
  __device__ void for_each_chunk(Block& block, Index& q, Index end, const Body& body) const {
    for (; q < end; q += TileShape::warps) {
      const Index round = q / TileShape::stages, stage = q % TileShape::stages;
      gate_wait(block.full + stage, round & 1);
      const TileChunk c = block.head[stage];
      body(c, reinterpret_cast<const S*>(block.ring + stage * TileShape::stage));
      sync_warp();
      if (lane() == 0) gate_arrive(block.free + stage);
    }
  }

  // --- Numbers that come and go.

  __device__ static bool is_there(T a) {
    if constexpr (parts == 1)
      return !is_empty_word(a);
    else
      return !is_empty_word(a.re) && !is_empty_word(a.im);
  }
  __device__ T look(const Block& block, Offset place, int r) const {
    const Word* const p = flow + block.turn * flow_size + (place * R + r) * parts;
    if constexpr (parts == 1)
      return load_flow(p);
    else
      return {load_flow(p), load_flow(p + 1)};
  }
  // Calls again() until nothing is missing, or nobody waits any more.
  template <class Missing, class Again>
  __device__ void ask_until_there(const Block& block, const Missing& missing,
                                  const Again& again) const {
    for (unsigned tries = 1; missing(); ++tries) {
      if (tries % 64 == 0 && gives_up(block)) break;
      pause_thread();
      again();
    }
  }
  // `seen` is what a first look found.
  __device__ T wait_for(const Block& block, Offset place, int r, T seen) const {
    ask_until_there(
        block, [&] { return !is_there(seen); }, [&] { seen = look(block, place, r); });
    return seen;
  }
  __device__ T take(const Block& block, Offset place, int r) const {
    return wait_for(block, place, r, look(block, place, r));
  }
  __device__ bool gives_up(const Block& block) const {
    if (load_flow(&state->given_up) == 0) {
      if (nanoseconds() < block.deadline) return false;
      store_flow(&state->given_up, 1u);
    }
    raise_status(vectors.status, status_gave_up);
    return true;
  }
  __device__ void hand_on(const Block& block, Offset place, int r, T a) const {
    const Offset word = (place * R + r) * parts;
    Word* const now = flow + block.turn * flow_size + word;
    Word* const next = flow + (1 - block.turn) * flow_size + word;
    if constexpr (parts == 1) {
      store_flow(now, not_empty_word(a));
      *next = empty_word(a);
    } else {
      store_flow(now, not_empty_word(a.re));
      store_flow(now + 1, not_empty_word(a.im));
      next[0] = next[1] = empty_word(a.re);
    }
  }
  __device__ T given_side(Index position, int r) const {
    T given = zero();
    if (r < count) given = vectors.given(position, r);
    return given;
  }
  __device__ T right_side(Index position, int r) const {
    return vectors.scaled(given_side(position, r));
  }
  __device__ void put_answer(const Block& block, Index position, int r, T a, bool others) const {
    if (others) hand_on(block, answers + position, r, a);
    if (r < count) vectors.store(position, r, a);
  }

  // Waits until all lanes have what they look for: `missing` says whether this one does not,
  // again() looks once more.  One lane at a time asks over and over; all of them doing so would be
  // much.
  template <class Missing, class Again>
  __device__ void wait_together(const Block& block, const Missing& missing,
                                const Again& again) const {
    for (unsigned waiting = lanes_with(missing()); waiting != 0; waiting = lanes_with(missing())) {
      if (lane() == first_lane(waiting)) ask_until_there(block, missing, again);
      sync_warp();
      if (missing()) again();
      if (all_lanes(load_flow(&state->given_up) != 0)) return;
    }
  }
  // What a thread wants to know of the first entries of an item before it looks for them; fetched
  // while the item before ends.
  static constexpr int ahead = 4;
  struct Wanted {
    TileSources::Pair from[ahead];
    T given[ahead];  // b, not yet scaled: nothing here waits for memory
  };
  __device__ static bool all_there(const T (&seen)[ahead]) {
    bool all = true;
    ECHELON_UNROLL
    for (int a = 0; a < ahead; ++a) all = all && is_there(seen[a]);
    return all;
  }
  // Calls put(q, r, number at place_of(q)) for q below `total`, all right-hand sides.  A thread has
  // several looks under way at once.
  template <class PlaceOf, class Put>
  __device__ void gather(const Block& block, Index total, const PlaceOf& place_of,
                         const Put& put) const {
    const int r = worker() % R;
    for (Index begin = worker(); begin < (total * R + 31) / 32 * 32;
         begin += ahead * tile_workers) {
      Offset place[ahead];
      T seen[ahead];
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_workers;
        place[a] = q < total * R ? place_of(q / R) : -1;
      }
      const auto look_all = [&] {
        ECHELON_UNROLL
        for (int a = 0; a < ahead; ++a) seen[a] = place[a] >= 0 ? look(block, place[a], r) : zero();
      };
      look_all();
      wait_together(
          block, [&] { return !all_there(seen); }, look_all);
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a)
        if (place[a] >= 0) put((begin + a * tile_workers) / R, r, seen[a]);
    }
  }
  // All that other tasks left for a place.
  __device__ T take_sources(const Block& block, Offset place, int r) const {
    const TileSources::Pair from = pair[place];
    T sum = zero();
    if (from.first >= 0) sum = take(block, from.first, r);
    if (from.second >= 0) sum = sum + take(block, from.second, r);
    return from.second < -1 ? sum + take_more(block, from.second, r) : sum;
  }
  __device__ T take_more(const Block& block, Index second, int r) const {
    const Index* const list = more + (-2 - second);
    T sum = zero();
    for (Index i = 1; i <= list[0]; ++i) sum = sum + take(block, list[i], r);
    return sum;
  }
  template <class PlaceOf, class GivenOf>
  __device__ Wanted want_sources(Index begin, Index total, const PlaceOf& place_of,
                                 const GivenOf& given_of) const {
    Wanted wanted{};
    ECHELON_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const Index q = begin + a * tile_workers;
      wanted.given[a] = zero();
      if (q >= total * R) continue;
      wanted.from[a] = pair[place_of(q / R)];
      given_of(q / R, worker() % R, wanted.given[a]);
    }
    return wanted;
  }
  // Calls put(q, r, what given_of(q, r) says, scaled, and all that other tasks left for
  // place_of(q)), as gather() does; the first ones are `wanted` already.
  template <class PlaceOf, class GivenOf, class Put>
  __device__ void gather_sources(const Block& block, Index total, Wanted wanted,
                                 const PlaceOf& place_of, const GivenOf& given_of,
                                 const Put& put) const {
    const int r = worker() % R;
    for (Index begin = worker(); begin < (total * R + 31) / 32 * 32;
         begin += ahead * tile_workers) {
      T first[ahead], second[ahead];
      if (begin >= tile_workers) wanted = want_sources(begin, total, place_of, given_of);
      const auto look_all = [&] {
        ECHELON_UNROLL
        for (int a = 0; a < ahead; ++a) {
          const TileSources::Pair from = wanted.from[a];
          first[a] = from.first >= 0 ? look(block, from.first, r) : zero();
          second[a] = from.second >= 0 ? look(block, from.second, r) : zero();
        }
      };
      look_all();
      wait_together(
          block, [&] { return !(all_there(first) && all_there(second)); }, look_all);
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_workers;
        if (q >= total * R) break;
        T sum = vectors.scaled(wanted.given[a]) + first[a] + second[a];
        if (wanted.from[a].second < -1) sum = sum + take_more(block, wanted.from[a].second, r);
        put(q / R, r, sum);
      }
    }
  }
  // The sum of an entry over its slots, which are left at zero.
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
  // The sum of entry i of an item's `numbers` over its slots, which are left at zero, and over
  // the parts before; false if a later part wants it.
  __device__ bool add_up(const Block& block, const Tile& tile, T* slot_of_i, Index slots, Index i,
                         Index numbers, T& sum) const {
    sum = take_slots(slot_of_i, slots);
    if (tile.parts == 1) return true;
    const Offset place = sums_place + tile.sums + i / R;
    const int r = i % R;
    if (tile.part + 1 < tile.parts) {
      hand_on(block, place + tile.part * numbers, r, sum);
      return false;
    }
    T other[TileShape::most_parts];
    ECHELON_UNROLL
    for (int p = 0; p + 1 < TileShape::most_parts; ++p)
      other[p] = p + 1 < tile.parts ? look(block, place + p * numbers, r) : zero();
    ECHELON_UNROLL
    for (int p = 0; p + 1 < TileShape::most_parts; ++p)
      if (p + 1 < tile.parts) sum = sum + wait_for(block, place + p * numbers, r, other[p]);
    return true;
  }
};

}  // namespace echelon
