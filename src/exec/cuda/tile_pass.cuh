// exec/cuda/tile_pass.cuh -- what a thread block of the persistent solve does: runs its list of
// tiles, while one warp streams their values into shared memory ahead of the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  A number that one tile hands to others lies in `flow`, in one of two
// copies: this solve uses the copy that `turn` says, and whoever writes a number there marks its
// place in the other copy as empty, for the next solve.  Empty is a NaN of its own (all bits set)
// that no result has, so a reader just reads until what he finds is a number: no flag, no fence, no
// counter.  Each number is one word, which is written and read as a whole.  The last block to end
// turns the copies round.
//
// Protocol inside a block.  The last warp fills the stages of a ring in the order of the block's
// chunks; chunk q is multiplied by warp q modulo `warps`, which then gives its stage back.  A stage
// serves one warp only: it sees its gate go through all its turns.  The warps that multiply meet
// twice an item: when its vector is there, and when its sums are.  The next item is fetched
// meanwhile.
//
// Way out.  Who waits for a number longer than `patience` says so in `status` and `given_up`; all
// others then stop waiting too, and the kernel ends with an answer that is worth nothing.
//
// Needs the names of exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include <type_traits>

#include "exec/cuda/device_plan.hpp"
#include "exec/cuda/device_scalar.cuh"
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
struct TilePass {
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
  bool conjugate;
  T alpha;
  const T* b;
  Offset b_step, b_stride;
  T* x;
  Offset x_step, x_stride;
  Index count;  // right-hand sides that there are, up to R
  Word* flow;   // two copies
  Offset flow_size;
  Offset answers, sums;  // in the flow, after what tasks say to each other
  T* scratch;            // vectors of subtrees that do not fit into shared memory: twice the space
  TileState* state;
  unsigned* status;
  unsigned long long patience;  // nanoseconds; 0: for ever
  TileRoom room;

  // One block.  `shared` has room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{shared, room};
    block.turn = load_flow(&state->turn);
    block.deadline = patience == 0 ? ~0ull : time_ns() + patience;
    if (threadIdx.x < TileShape::stages) {
      gate_init(block.full + threadIdx.x, 1);
      gate_init(block.free + threadIdx.x, 1);
    }
    gates_are_ready();
    __syncthreads();
    if (threadIdx.x >= tile_workers)
      stream(block);
    else
      work(block);
    __syncthreads();
    if (threadIdx.x == 0) end_block();
  }

 private:
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
  // `seen` is what a first look found.
  __device__ T wait_for(const Block& block, Offset place, int r, T seen) const {
    for (unsigned tries = 1; !is_there(seen); ++tries) {
      if (tries % 64 == 0 && gives_up(block)) break;
      pause_thread();
      seen = look(block, place, r);
    }
    return seen;
  }
  __device__ T take(const Block& block, Offset place, int r) const {
    return wait_for(block, place, r, look(block, place, r));
  }
  __device__ bool gives_up(const Block& block) const {
    if (load_flow(&state->given_up) == 0) {
      if (time_ns() < block.deadline) return false;
      store_flow(&state->given_up, 1u);
    }
    raise_status(status, status_gave_up);
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
    const Offset unknown = plan.reversed ? plan.n - 1 - position : position;
    if (r < count) given = b[unknown * b_step + r * b_stride];
    return given;
  }
  __device__ T scaled(T given) const { return conjugate_if(conjugate, alpha * given); }
  __device__ T right_side(Index position, int r) const { return scaled(given_side(position, r)); }
  __device__ void put_answer(const Block& block, Index position, int r, T a, bool others) const {
    if (others) hand_on(block, answers + position, r, a);
    if (r >= count) return;
    if (!is_finite(a)) raise_status(status, status_not_finite);
    const Offset unknown = plan.reversed ? plan.n - 1 - position : position;
    x[unknown * x_step + r * x_stride] = conjugate_if(conjugate, a);
  }

  // Waits until all lanes have what they look for: `missing` says whether this one does not,
  // again() looks once more.  One lane at a time asks over and over; all of them doing so would be
  // much.
  template <class Missing, class Again>
  __device__ void wait_together(const Block& block, const Missing& missing,
                                const Again& again) const {
    for (unsigned waiting = lanes_with(missing()); waiting != 0; waiting = lanes_with(missing())) {
      if (lane() == first_lane(waiting))
        for (unsigned tries = 1; missing(); ++tries) {
          if (tries % 64 == 0 && gives_up(block)) break;
          pause_thread();
          again();
        }
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
          block,
          [&] {
            bool all = true;
            ECHELON_UNROLL
            for (int a = 0; a < ahead; ++a) all = all && is_there(seen[a]);
            return !all;
          },
          look_all);
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
          block,
          [&] {
            bool all = true;
            ECHELON_UNROLL
            for (int a = 0; a < ahead; ++a) all = all && is_there(first[a]) && is_there(second[a]);
            return !all;
          },
          look_all);
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_workers;
        if (q >= total * R) break;
        T sum = scaled(wanted.given[a]) + first[a] + second[a];
        if (wanted.from[a].second < -1) sum = sum + take_more(block, wanted.from[a].second, r);
        put(q / R, r, sum);
      }
    }
  }

  // --- The ring.

  // Each lane has every 32nd chunk, and takes its turn with it.
  __device__ void stream(Block& block) const {
    const Index first = chunk_start[blockIdx.x], last = chunk_start[blockIdx.x + 1];
    const CachePolicy policy = cache_policy(kept);
    TileChunk next{};
    if (first + lane() < last) next = chunks[first + lane()];
    for (Index begin = first; begin < last; begin += 32) {
      const TileChunk mine = next;
      if (begin + 32 + lane() < last) next = chunks[begin + 32 + lane()];
      const int lanes = min(32, last - begin);
      for (int turn = 0; turn < lanes; ++turn) {
        if (lane() == turn) stream_chunk(block, begin - first + turn, mine, policy);
        sync_warp();
      }
    }
  }
  __device__ void stream_chunk(Block& block, Index q, const TileChunk& c,
                               CachePolicy policy) const {
    const Index round = q / TileShape::stages, stage = q % TileShape::stages;
    if (round > 0) gate_wait(block.free + stage, (round - 1) & 1);
    block.head[stage] = c;
    stream_copy(block.ring + stage * TileShape::stage, value + c.source * parts,
                static_cast<unsigned>(c.bytes), block.full + stage, policy);
  }
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

  // --- Items.

  __device__ void work(Block& block) const {
    for (Index i = worker(); i < room.slots * 32 * R; i += tile_workers) block.partial[i] = zero();
    const Index begin = item_start[blockIdx.x], end = item_start[blockIdx.x + 1];
    Index q = warp();
    if (begin < end) fetch_item(block, begin).store();
    join_threads(tile_workers);
    Wanted wanted{};
    if (begin < end) wanted = want_item(block.tile[begin & 1]);
    for (Index i = begin; i < end; ++i) {
      const Tile& tile = block.tile[i & 1];
      const ItemWord next = i + 1 < end ? fetch_item(block, i + 1) : ItemWord{};
      if (tile.enters) enter_subtree(block, tile);
      if (tile.triangle)
        run_triangle(block, tile, q, next), wanted = wanted_after(block, i, end);
      else if (pull)
        pull_tile(block, tile, q, next);
      else
        push_tile(block, tile, q, next, i, end, wanted);
      if (tile.leaves && !pull) leave_subtree(block, tile);
    }
  }
  __device__ Wanted wanted_after(const Block& block, Index i, Index end) const {
    if (i + 1 < end) return want_item(block.tile[(i + 1) & 1]);
    return {};
  }
  // A word of an item on its way into shared memory; thread by thread.
  struct ItemWord {
    Index* to = nullptr;
    Index word = 0;
    __device__ void store() const {
      if (to != nullptr) *to = word;
    }
  };
  __device__ ItemWord fetch_item(const Block& block, Index i) const {
    constexpr Index words = sizeof(TileItem) / sizeof(Index);
    Tile& tile = block.tile[i & 1];
    if (worker() < words)
      return {reinterpret_cast<Index*>(static_cast<TileItem*>(&tile)) + worker(),
              reinterpret_cast<const Index*>(items + i)[worker()]};
    if (worker() == 32 * ((words + 31) / 32))
      return {&tile.triangle, form[items[i].panel] == BlockForm::triangle ? 1 : 0};
    return {};
  }

  // A subtree's vector: in shared memory if it fits.  It needs nothing from others when pushing.
  __device__ void enter_subtree(Block& block, const Tile& tile) const {
    const Index t = tile.task, first = plan.task_start[t], last = plan.task_start[t + 1];
    const bool fits = 2 * tile.own + tile.outside <= room.tree_size;
    block.tree = fits ? block.subtree : scratch + 2 * tile.space * R;
    block.right = block.tree + (tile.own + tile.outside) * R;
    T* const own = pull ? block.right : block.tree;
    for (Index k = first + warp(); k < last; k += TileShape::warps) {
      const DevicePanel p = plan.panel[k];
      for (Index q = lane(); q < p.w * R; q += 32)
        own[p.own * R + q] = right_side(p.first + q / R, q % R);
    }
    T* const rest = block.tree + tile.own * R;
    const Index* const position = plan.outside + tile.outside_start;
    if (pull)
      gather(
          block, tile.outside, [&](Index k) { return answers + position[k]; },
          [&](Index k, int r, T a) { rest[k * R + r] = -a; });  // answers of others, negative
    else
      for (Index q = worker(); q < tile.outside * R; q += tile_workers) rest[q] = zero();
    join_threads(tile_workers);
  }
  __device__ void leave_subtree(Block& block, const Tile& tile) const {
    join_threads(tile_workers);
    for (Index q = worker(); q < tile.outside * R; q += tile_workers)
      hand_on(block, tile.space + tile.own + q / R, q % R, block.tree[tile.own * R + q]);
    join_threads(tile_workers);  // the next subtree's vector takes its place
  }

  // The sum of entry i of an item's `numbers` over its slots, which are left at zero, and over
  // the parts before; false if a later part wants it.
  __device__ bool add_up(const Block& block, const Tile& tile, const T* slot_of_i, Index slots,
                         Index i, Index numbers, T& sum) const {
    T* const a = const_cast<T*>(slot_of_i);
    T slot[TileShape::warps];
    ECHELON_UNROLL
    for (int s = 0; s < TileShape::warps; ++s) slot[s] = s < slots ? a[s * 32 * R] : zero();
    sum = zero();
    ECHELON_UNROLL
    for (int s = 0; s < TileShape::warps; ++s) {
      sum = sum + slot[s];
      if (s < slots) a[s * 32 * R] = zero();
    }
    if (tile.parts == 1) return true;
    const Offset place = sums + tile.sums + i / R;
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

  // --- Pushing.

  __device__ static Index sums_of(Index w) {
    return min((w + chunk_columns - 1) / chunk_columns, Index{TileShape::warps});
  }

  __device__ void push_tile(Block& block, const Tile& tile, Index& q, const ItemWord& next,
                            Index item, Index items_end, Wanted& wanted) const {
    const Index w = tile.w, h = tile.h, sums = sums_of(w);
    const Index rows = (tile.end - tile.begin) * PanelShape::strip;
    // Every other item has the same room: who is ahead does not overwrite what others still read.
    T* const carried = block.carried + (item & 1) * room.slots * 32;
    const Index below = first_below(tile);
    if (tile.single)
      gather_push(block, tile, carried, wanted);
    else
      for (Index i = worker(); i < (tile.high - tile.low) * R; i += tile_workers)
        block.vector[i] = block.tree[(tile.at + tile.low) * R + i];
    Index places[4] = {};  // of the rows below in the subtree's vector, with one right-hand side
    if (R == 1 && !tile.single && tile.last) {
      ECHELON_UNROLL
      for (int a = 0; a < 4; ++a) {
        const Index i = worker() + a * tile_workers, row = tile.begin * PanelShape::strip + i;
        if (i < rows && row >= w && row < w + h) places[a] = plan.local[tile.local + row - w];
      }
    }
    join_threads(tile_workers);
    PushSums sum{block.partial, -1};
    for_each_chunk(block, q, tile.chunk_end, [&](const TileChunk& c, const S* values) {
      push_chunk(c, values, block.vector - tile.low * R, tile.begin, sums, sum);
    });
    sum.flush();
    next.store();
    join_threads(tile_workers);
    wanted = wanted_after(block, item, items_end);
    if (!tile.last) return;
    const auto total_of = [&](Index i, T& total) {  // of entry i: row by row, all right-hand sides
      const T* const slot = block.partial + (i / R / 32 * sums * 32 + i / R % 32) * R + i % R;
      return add_up(block, tile, slot, sums, i, rows, total);
    };
    const Index top = tile.begin * PanelShape::strip, end = min(rows, w + h - top);
    if (R > 1 && tile.single && tile.part + 1 == tile.parts) {
      for (Index i = worker(); i < (below - top) * R; i += tile_workers) {
        T total;
        total_of(i, total);
        put_answer(block, tile.first + top + i / R, i % R, total, false);
      }
      const auto place_of = [&](Index k) { return tile.space + below + k; };
      const auto nothing = [](Index, int, T&) {};
      const Index rest = max(top + end - below, 0);
      gather_sources(block, rest, want_sources(worker(), rest, place_of, nothing), place_of,
                     nothing, [&](Index k, int r, T sum) {
                       T total;
                       total_of((below - top + k) * R + r, total);
                       hand_on(block, tile.space + below + k, r, sum - total);
                     });
      return;
    }
    const auto finish = [&](Index i, Index place) {
      const Index row = top + i / R;
      T total;
      if (!total_of(i, total)) return;
      if (row < w)
        put_answer(block, tile.first + row, i % R, total, false);
      else if (tile.single)
        hand_on(block, tile.space + row, i % R, carried[row - below] - total);
      else
        subtract(block.tree[place * R + i % R], total);
    };
    if constexpr (R == 1) {
      ECHELON_UNROLL
      for (int a = 0; a < 4; ++a) {
        const Index i = worker() + a * tile_workers;
        if (i < end) finish(i, places[a]);
      }
    } else {
      for (Index i = worker(); i < end * R; i += tile_workers)
        finish(i, top + i / R < w || tile.single ? 0 : plan.local[tile.local + top + i / R - w]);
    }
    if (!tile.single) join_threads(tile_workers);
  }
  __device__ static void subtract(T& a, T sum) { a = a - sum; }

  // First of the item's rows that are carried on.
  __device__ static Index first_below(const Tile& tile) {
    return min(max(tile.begin * PanelShape::strip, tile.w),
               min(tile.end * PanelShape::strip, tile.w + tile.h));
  }
  // The item's right-hand sides, and with one of them what its rows below carry on.
  struct PushEntries {
    const TilePass& pass;
    const Tile& tile;
    Index own, below, total;
    __device__ PushEntries(const TilePass& p, const Tile& t)
        : pass(p), tile(t), own(t.high - t.low), below(first_below(t)) {
      const bool carries = R == 1 && t.last && t.part + 1 == t.parts;
      total = own + (carries ? min(t.end * PanelShape::strip, t.w + t.h) - below : 0);
    }
    __device__ Offset place(Index k) const {
      return tile.space + (k < own ? tile.low + k : below + k - own);
    }
    __device__ void given(Index k, int r, T& b) const {
      if (k < own) b = pass.given_side(tile.first + tile.low + k, r);
    }
  };
  __device__ Wanted want_item(const Tile& tile) const {
    if (pull || !tile.single || tile.triangle) return {};
    const PushEntries e(*this, tile);
    return want_sources(
        worker(), e.total, [&](Index k) { return e.place(k); },
        [&](Index k, int r, T& b) { e.given(k, r, b); });
  }
  __device__ void gather_push(Block& block, const Tile& tile, T* carried,
                              const Wanted& wanted) const {
    const PushEntries e(*this, tile);
    gather_sources(
        block, e.total, wanted, [&](Index k) { return e.place(k); },
        [&](Index k, int r, T& b) { e.given(k, r, b); },
        [&](Index k, int r, T sum) {
          if (k < e.own)
            block.vector[k * R + r] = sum;
          else
            carried[k - e.own] = sum;
        });
  }

  // The sums of a warp over its chunks, as long as they belong to the same slot.
  struct PushSums {
    static constexpr int chains = R == 1 ? 4 : 1, ahead = R == 1 ? 8 : 4;
    T* partial;
    Index slot;
    T sum[chains][R];

    __device__ PushSums(T* room, Index none) : partial(room), slot(none) { clear(); }
    __device__ void clear() {
      ECHELON_UNROLL
      for (int a = 0; a < chains; ++a) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r) sum[a][r] = zero();
      }
    }
    __device__ void flush() {
      if (slot < 0) return;
      T* const out = partial + (slot * 32 + lane()) * R;
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) {
        T all = sum[0][r];
        ECHELON_UNROLL
        for (int a = 1; a < chains; ++a) all = all + sum[a][r];
        out[r] = out[r] + all;
      }
      clear();
      slot = -1;
    }
    __device__ void turn_to(Index other) {
      if (other != slot) flush();
      slot = other;
    }
    // One row of all columns of a chunk, 32 rows apart, times v.
    __device__ void add_full(const S* a, const T* v) {
      constexpr Index step = PanelShape::strip * parts;
      ECHELON_UNROLL
      for (int j = 0; j < chunk_columns; j += ahead) {
        T m[ahead];
        ECHELON_UNROLL
        for (int i = 0; i < ahead; ++i) m[i] = read(a + (j + i) * step);
        ECHELON_UNROLL
        for (int i = 0; i < ahead; ++i) {
          ECHELON_UNROLL
          for (int r = 0; r < R; ++r)
            sum[i % chains][r] = multiply_add(m[i], v[(j + i) * R + r], sum[i % chains][r]);
        }
      }
    }
    // One row of so many columns times v.
    __device__ void add(Index columns, const S* a, Index step, const T* v) {
      Index j = 0;
      for (; j + ahead <= columns; j += ahead, a += ahead * step, v += ahead * R) {
        T m[ahead];
        ECHELON_UNROLL
        for (int i = 0; i < ahead; ++i) m[i] = read(a + i * step);
        ECHELON_UNROLL
        for (int i = 0; i < ahead; ++i) {
          ECHELON_UNROLL
          for (int r = 0; r < R; ++r)
            sum[i % chains][r] = multiply_add(m[i], v[i * R + r], sum[i % chains][r]);
        }
      }
      for (; j < columns; ++j, a += step, v += R) {
        const T m = read(a);
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r) sum[0][r] = multiply_add(m, v[r], sum[0][r]);
      }
    }
  };
  // A lane is a row; v counts from the panel's first column.
  __device__ void push_chunk(const TileChunk& c, const S* values, const T* v, Index begin,
                             Index sums, PushSums& sum) const {
    const Index row = lane();
    const Index column_slot = sums < TileShape::warps ? c.from / chunk_columns : warp();
    if (c.full) {
      sum.turn_to((c.strip - begin) * sums + column_slot);
      sum.add_full(values + row_offset(row), v + c.from * R);
      return;
    }
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = shape_of(c.w, c.h, k);
      const Index to = min(c.from + c.columns, s.full + s.stair);
      sum.turn_to((k - begin) * sums + column_slot);
      Index j = c.from;
      if (j < s.full) {
        const Index columns = min(to, s.full) - j;
        if (row < s.rows) sum.add(columns, values + row_offset(row), s.rows * parts, v + j * R);
        values += columns * s.rows * parts;
        j += columns;
      }
      while (j < to) {  // the stair, eight columns a step
        const Index top = s.top(j), columns = min(to - j, Index{PanelShape::group});
        if (row >= top && row < s.rows)
          sum.add(columns, values + row_offset(row - top), (s.rows - top) * parts, v + j * R);
        values += columns * (s.rows - top) * parts;
        j += columns;
      }
    }
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

  // --- Pulling.

  __device__ void pull_tile(Block& block, const Tile& tile, Index& q, const ItemWord& next) const {
    const Index w = tile.w, h = tile.h, columns = tile.end - tile.begin;
    const Index low = tile.low * PanelShape::strip,
                high = min(tile.high * PanelShape::strip, w + h);
    gather_pull(block, tile, low, high);
    join_threads(tile_workers);
    T sum[R];
    ECHELON_UNROLL
    for (int r = 0; r < R; ++r) sum[r] = zero();
    for_each_chunk(block, q, tile.chunk_end, [&](const TileChunk& c, const S* values) {
      pull_chunk(c, values, block.vector - low, w + h, sum);
    });
    // Lanes of one column, then warps.
    for (int step = lanes_of(columns); step < 32; step *= 2) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) sum[r] = sum[r] + broadcast(sum[r], lane() ^ step);
    }
    if (lane() < columns) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) {
        T& out = block.partial[(warp() * 32 + lane()) * R + r];
        out = out + sum[r];
      }
    }
    next.store();
    join_threads(tile_workers);
    if (!tile.last) return;
    for (Index i = worker(); i < columns * R; i += tile_workers) {
      T total;
      if (add_up(block, tile, block.partial + i, TileShape::warps, i, columns, total))
        put_pulled(block, tile, tile.begin + i / R, i % R, total);
    }
    if (!tile.single) join_threads(tile_workers);
  }
  __device__ void put_pulled(const Block& block, const Tile& tile, Index j, int r, T a) const {
    put_answer(block, tile.first + j, r, a, tile.single || tile.triangle);
    if (!tile.single) block.tree[(tile.at + j) * R + r] = -a;
  }

  // Rows [low, high) of the panel into the block's vector, one right-hand side after the other: a
  // lane reads a row, and neighbours must not meet in one bank.
  __device__ void gather_pull(Block& block, const Tile& tile, Index low, Index high) const {
    const Index w = tile.w, from = max(low, w);
    const auto put = [&](Index row, int r, T a) {
      block.vector[r * room.vector_size + row - low] = a;
    };
    for (Index i = low * R + worker(); i < min(high, w) * R; i += tile_workers)
      put(i / R, i % R,
          tile.single ? right_side(tile.first + i / R, i % R) : block.right[tile.at * R + i]);
    if (from >= high) return;
    if (tile.single) {
      const Index* const position = plan.outside + tile.outside_start + (from - w);
      return gather(
          block, high - from, [&](Index k) { return answers + position[k]; },
          [&](Index k, int r, T a) { put(from + k, r, -a); });
    }
    for (Index i = worker(); i < (high - from) * R; i += tile_workers)
      put(from + i / R, i % R, block.tree[plan.local[tile.local + from - w + i / R] * R + i % R]);
  }

  // Lanes that columns are spread over; the others have the next rows.
  __device__ static int lanes_of(Index columns) {
    return columns <= 8 ? 8 : columns <= 16 ? 16 : 32;
  }

  // A lane is a column and some rows; neighbours begin one row apart, so that no two read the same
  // bank.  v counts from the panel's first row.
  __device__ void pull_chunk(const TileChunk& c, const S* values, const T* v, Index rows,
                             T (&sum)[R]) const {
    if (c.full) {
      constexpr Index lanes = chunk_columns;
      const Index mine = lane() % lanes, group = lane() / lanes * lanes;
      return pull_rows(mine, values + mine * PanelShape::strip * parts + row_offset(group),
                       v + c.strip * PanelShape::strip + group, sum);
    }
    const int lanes = lanes_of(c.columns);
    const Index mine = lane() % lanes, column = c.from + mine, group = lane() / lanes * lanes;
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = shape_of(c.w, c.h, k);
      const Index to = min(c.from + c.columns, s.full + s.stair);
      const auto start = static_cast<Index>(s.column(c.from));
      if (column < to) {
        const Index top = s.top(column), last = min(s.rows, rows - s.begin);
        const S* const a = values + (static_cast<Index>(s.column(column)) - start) * parts;
        pull_some_rows(lanes, group, mine, max(top, group), min(last, group + lanes), top, a,
                       v + s.begin, sum);
      }
      values += (static_cast<Index>(s.column(to)) - start) * parts;
    }
  }
  static constexpr int pull_ahead = R == 1 ? 8 : 4;
  __device__ void pull_rows(Index mine, const S* a, const T* u, T (&sum)[R]) const {
    ECHELON_UNROLL
    for (int step = 0; step < chunk_columns; step += pull_ahead) {
      T m[pull_ahead];
      Index i[pull_ahead];
      ECHELON_UNROLL
      for (int q = 0; q < pull_ahead; ++q) {
        i[q] = (step + q + mine) & (chunk_columns - 1);
        m[q] = read(a + row_offset(i[q]));
      }
      add_rows(m, i, u, sum);
    }
  }
  // Rows [begin, end) of a strip that is not full; what lies outside counts as zero.
  __device__ void pull_some_rows(int lanes, Index group, Index mine, Index begin, Index end,
                                 Index top, const S* a, const T* u, T (&sum)[R]) const {
    if (begin >= end) return;
    for (int step = 0; step < lanes; step += pull_ahead) {
      T m[pull_ahead];
      Index i[pull_ahead];
      ECHELON_UNROLL
      for (int q = 0; q < pull_ahead; ++q) {
        const Index row = group + ((step + q + mine) & (lanes - 1));
        i[q] = min(max(row, begin), end - 1);
        m[q] = i[q] == row ? read(a + row_offset(row - top)) : zero();
      }
      add_rows(m, i, u, sum);
    }
  }
  __device__ void add_rows(const T (&m)[pull_ahead], const Index (&i)[pull_ahead], const T* u,
                           T (&sum)[R]) const {
    if constexpr (R == 1) {
      T v[pull_ahead], other = zero();  // two chains
      ECHELON_UNROLL
      for (int q = 0; q < pull_ahead; ++q) v[q] = u[i[q]];
      ECHELON_UNROLL
      for (int q = 0; q < pull_ahead; q += 2) {
        sum[0] = multiply_add(m[q], v[q], sum[0]);
        other = multiply_add(m[q + 1], v[q + 1], other);
      }
      sum[0] = sum[0] + other;
    } else {
      ECHELON_UNROLL
      for (int q = 0; q < pull_ahead; ++q) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r)
          sum[r] = multiply_add(m[q], u[r * room.vector_size + i[q]], sum[r]);
      }
    }
  }

  // --- Panels whose inverse could not be trusted: solved with, strip by strip, straight from
  // memory.  Answers go through the flow even inside the panel.

  __device__ void run_triangle(Block& block, const Tile& tile, Index& q,
                               const ItemWord& next) const {
    for_each_chunk(block, q, tile.chunk_end, [](const TileChunk&, const S*) {});
    join_threads(tile_workers);
    next.store();
    join_threads(tile_workers);
    if (!tile.last || tile.part + 1 < tile.parts) return;
    if (pull)
      pull_triangle(block, tile);
    else
      for (Index k = tile.begin; k < tile.end; ++k) push_triangle(block, tile, k);
    join_threads(tile_workers);
  }
  __device__ T stored(const Tile& tile, Offset column, Index i) const {
    return entry(value + plan.panel[tile.panel].value * parts, column, i, T{});
  }

  // One strip: the columns before it by all warps, then its own by the first.
  __device__ void push_triangle(Block& block, const Tile& tile, Index k) const {
    const Tile& p = tile;
    const Strip s = strip_of(p.w, p.h, k);
    const Index row = s.begin + lane();
    const bool has = lane() < s.rows && row < p.w + p.h;
    for (int r = 0; r < R; ++r) {
      T sum = zero();
      for (Index j = warp(); j < s.full; j += TileShape::warps) {
        const T a = take(block, answers + p.first + j, r);
        if (has) sum = sum + stored(tile, s.column(j), lane()) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      join_threads(tile_workers);
      if (warp() == 0) {
        T rest = zero();
        T* const inside = has && !tile.single ? tree_row(block, tile, row, r) : nullptr;
        if (has && tile.single) rest = take_sources(block, tile.space + row, r);
        if (has && tile.single && row < p.w) rest = rest + right_side(p.first + row, r);
        if (inside != nullptr) rest = *inside;
        T before = zero();
        for (int i = 0; i < TileShape::warps; ++i) {
          T& part = block.partial[(i * 32 + lane()) * R];
          before = before + part;
          part = zero();
        }
        rest = rest - before;
        for (Index j = 0; j < s.stair; ++j) {
          const Index top = s.top(s.full + j);
          const Offset column = s.column(s.full + j);
          const T a = broadcast(rest, j) / stored(tile, column, j - top);
          if (lane() > j && lane() < s.rows) rest = rest - stored(tile, column, lane() - top) * a;
          if (lane() == j) put_answer(block, p.first + s.full + j, r, a, true);
        }
        if (has && row >= p.w && tile.single) hand_on(block, tile.space + row, r, rest);
        if (has && row >= p.w && !tile.single) *inside = rest;
      }
      join_threads(tile_workers);
    }
  }
  // Where a row of the panel lies in its subtree's vector.
  __device__ T* tree_row(const Block& block, const Tile& tile, Index row, int r) const {
    return block.tree + (row < tile.w ? tile.at + row : plan.local[tile.local + row - tile.w]) * R +
           r;
  }

  // Columns of one tile: rows after them by all warps, then its own triangle by the first.
  __device__ void pull_triangle(Block& block, const Tile& tile) const {
    const Tile& p = tile;
    const Index begin = tile.begin, columns = tile.end - begin, j = begin + lane();
    const bool has = lane() < columns;
    const Index* const outside = plan.outside + tile.outside_start;
    for (int r = 0; r < R; ++r) {
      T sum = zero();
      for (Index i = tile.end + warp(); i < p.w + p.h; i += TileShape::warps) {
        T a = zero();
        if (i >= p.w && !tile.single)
          a = *tree_row(block, tile, i, r);
        else
          a = -take(block, answers + (i < p.w ? p.first + i : outside[i - p.w]), r);
        const Strip s = strip_of(p.w, p.h, i / PanelShape::strip);
        if (has) sum = sum + stored(tile, s.column(j), i - s.begin - s.top(j)) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      join_threads(tile_workers);
      if (warp() == 0) {
        T rest = zero();
        if (has)
          rest = tile.single ? right_side(p.first + j, r) : block.right[(tile.at + j) * R + r];
        for (int i = 0; i < TileShape::warps; ++i) {
          T& part = block.partial[(i * 32 + lane()) * R];
          rest = rest + part;
          part = zero();
        }
        const Strip s = strip_of(p.w, p.h, begin / PanelShape::strip);
        for (Index i = columns; i-- > 0;) {
          const Index inside = begin + i - s.begin;  // row of the strip
          const T mine = has && lane() <= i ? stored(tile, s.column(j), inside - s.top(j)) : zero();
          const T a = broadcast(rest, i) / broadcast(mine, i);
          if (lane() < i) rest = rest - mine * a;
          if (lane() == i) put_pulled(block, tile, j, r, a);
        }
      }
      join_threads(tile_workers);
    }
  }

  __device__ void end_block() const {
    if (count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    state->turn ^= 1;
  }
};

}  // namespace echelon
