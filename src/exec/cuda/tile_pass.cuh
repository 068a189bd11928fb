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
// chunks; chunk q is multiplied by warp q modulo `warps`, which then gives its stage back.  The
// other warps meet twice a tile: when its vector is there, and when its sums are.
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
  Offset answers;  // in the flow, after what tasks say to each other
  T* scratch;      // vectors of subtrees that do not fit into shared memory: twice the space
  TileState* state;
  unsigned* status;
  unsigned long long patience;  // nanoseconds; 0: for ever
  TileRoom room;

  // One block.  `shared` has room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{shared, room};
    block.turn = load_flow(&state->turn);
    block.deadline = patience == 0 ? ~0ull : time_ns() + patience;
    if (threadIdx.x == 0)
      for (Index s = 0; s < room.stages; ++s) {
        gate_init(block.full + s, stream_arrivals);
        gate_init(block.free + s, 1);
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
  struct Block {
    __device__ Block(char* shared, const TileRoom& room)
        : ring(shared),
          head(reinterpret_cast<TileChunk*>(shared + room.head)),
          full(reinterpret_cast<Gate*>(shared + room.gate)),
          free(full + room.stages),
          partial(reinterpret_cast<T*>(shared + room.partial)),
          vector(reinterpret_cast<T*>(shared + room.vector)),
          carried(reinterpret_cast<T*>(shared + room.carried)),
          subtree(reinterpret_cast<T*>(shared + room.tree)) {}
    char* ring;
    TileChunk* head;
    Gate* full;
    Gate* free;
    T* partial;  // [slot][32][R]
    T* vector;
    T* carried;
    T* subtree;
    T* tree = nullptr;   // the present subtree's own | outside; pulling: answers, negative
    T* right = nullptr;  // pulling: its right-hand sides
    unsigned turn = 0;
    unsigned long long deadline = 0;
  };

  // A tile and its panel.
  struct Tile {
    TileItem item;
    DevicePanel panel;
    bool single;  // the task has one panel
    bool triangle;
    Index own;     // unknowns of the task
    Offset space;  // of the task
    int odd;       // every other one of the block
  };

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static T zero() { return zero_of(T{}); }
  __device__ static Index columns_of_chunk() {
    return TileShape::stage / (PanelShape::strip * parts * static_cast<Index>(sizeof(S)));
  }
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
    if (load_flow(&state->given_up) != 0) return true;
    if (time_ns() < block.deadline) return false;
    store_flow(&state->given_up, 1u);
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
  __device__ T right_side(Index position, int r) const {
    if (r >= count) return zero();
    const Offset unknown = plan.reversed ? plan.n - 1 - position : position;
    return alpha * conjugate_if(conjugate, b[unknown * b_step + r * b_stride]);
  }
  __device__ void put_answer(const Block& block, Index position, int r, T a, bool others) const {
    if (others) hand_on(block, answers + position, r, a);
    if (r >= count) return;
    if (!is_finite(a)) raise_status(status, status_not_finite);
    const Offset unknown = plan.reversed ? plan.n - 1 - position : position;
    x[unknown * x_step + r * x_stride] = conjugate_if(conjugate, a);
  }

  // All that other tasks left for a place.
  __device__ T take_sources(const Block& block, TileSources::Pair from, int r, T first,
                            T second) const {
    T sum = zero();
    if (from.first >= 0) sum = wait_for(block, from.first, r, first);
    if (from.second >= 0) sum = sum + wait_for(block, from.second, r, second);
    if (from.second < -1) {
      const Index* const list = more + (-2 - from.second);
      for (Index i = 1; i <= list[0]; ++i) sum = sum + take(block, list[i], r);
    }
    return sum;
  }
  // Calls put(q, what was left for place_of(q)) for q below `total`, all right-hand sides; a
  // thread has several looks under way at once.
  template <class PlaceOf, class Put>
  __device__ void gather_sources(const Block& block, Index total, const PlaceOf& place_of,
                                 const Put& put) const {
    constexpr int ahead = 4;
    for (Index begin = 0; begin < total * R; begin += ahead * tile_workers) {
      TileSources::Pair from[ahead];
      T first[ahead], second[ahead];
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_workers + static_cast<Index>(threadIdx.x);
        from[a] = q < total * R ? pair[place_of(q / R)] : TileSources::Pair{};
      }
      // One lane waits for the others: all of them asking again and again would be much.
      if (begin == 0 && lane() == 0 && from[0].first >= 0) take(block, from[0].first, 0);
      sync_warp();
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const int r = static_cast<int>(threadIdx.x) % R;
        first[a] = second[a] = zero();
        if (from[a].first >= 0) first[a] = look(block, from[a].first, r);
        if (from[a].second >= 0) second[a] = look(block, from[a].second, r);
      }
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_workers + static_cast<Index>(threadIdx.x);
        const int r = static_cast<int>(threadIdx.x) % R;
        if (q < total * R) put(q / R, r, take_sources(block, from[a], r, first[a], second[a]));
      }
    }
  }

  // --- The ring.

  // Each lane has every 32nd chunk, and takes its turn with it.
  __device__ void stream(Block& block) const {
    const Index first = chunk_start[blockIdx.x], last = chunk_start[blockIdx.x + 1];
    TileChunk next{};
    if (first + lane() < last) next = chunks[first + lane()];
    for (Index begin = first; begin < last; begin += 32) {
      const TileChunk mine = next;
      if (begin + 32 + lane() < last) next = chunks[begin + 32 + lane()];
      const int lanes = min(32, last - begin);
      for (int turn = 0; turn < lanes; ++turn) {
        if (lane() == turn) stream_chunk(block, begin - first + turn, mine);
        sync_warp();
      }
    }
  }
  __device__ void stream_chunk(Block& block, Index q, const TileChunk& c) const {
    const Index round = q / room.stages, stage = q - round * room.stages;
    if (round > 0) gate_wait(block.free + stage, (round - 1) & 1);
    block.head[stage] = c;
    stream_begin(block.full + stage, static_cast<unsigned>(c.bytes * c.copies));
    char* to = block.ring + stage * TileShape::stage;
    const S* from = value + c.source * parts;
    Offset stride = c.stride;
    for (int piece = 0; piece < c.copies; ++piece) {
      stream_copy(to, from, static_cast<unsigned>(c.bytes), block.full + stage);
      to += c.bytes;
      from += stride * parts;
      stride += c.growth;
    }
    stream_end(block.full + stage);
  }
  // Calls body(chunk, its values) for this warp's chunks up to `end`; `q` goes on from tile to
  // tile.
  template <class Body>
  __device__ void for_each_chunk(Block& block, Index& q, Index end, const Body& body) const {
    for (; q < end; q += TileShape::warps) {
      const Index round = q / room.stages, stage = q - round * room.stages;
      gate_wait(block.full + stage, round & 1);
      const TileChunk c = block.head[stage];
      body(c, reinterpret_cast<const S*>(block.ring + stage * TileShape::stage));
      sync_warp();
      if (lane() == 0) gate_arrive(block.free + stage);
    }
  }

  // --- Tiles.

  __device__ void work(Block& block) const {
    for (Index i = static_cast<Index>(threadIdx.x); i < TileShape::slots * 32 * R;
         i += tile_workers)
      block.partial[i] = zero();
    Index q = warp();
    for (Index i = item_start[blockIdx.x]; i < item_start[blockIdx.x + 1]; ++i) {
      const TileItem item = items[i];
      const Index t = item.task;
      const Tile tile{item,
                      plan.panel[item.panel],
                      plan.task_start[t + 1] - plan.task_start[t] == 1,
                      form[item.panel] == BlockForm::triangle,
                      plan.own[t],
                      plan.space_start[t],
                      i & 1};
      if (item.enters) enter_subtree(block, tile);
      if (tile.triangle)
        run_triangle(block, tile, q);
      else if (pull)
        pull_tile(block, tile, q);
      else
        push_tile(block, tile, q);
      if (item.leaves && !pull) leave_subtree(block, tile);
    }
  }

  // A subtree's vector: in shared memory if it fits.  It needs nothing from others when pushing.
  __device__ void enter_subtree(Block& block, const Tile& tile) const {
    const Index t = tile.item.task, first = plan.task_start[t], last = plan.task_start[t + 1];
    const Index outside = static_cast<Index>(plan.outside_start[t + 1] - plan.outside_start[t]);
    const bool fits = 2 * tile.own + outside <= room.tree_size;
    block.tree = fits ? block.subtree : scratch + 2 * tile.space * R;
    block.right = block.tree + (tile.own + outside) * R;
    T* const own = pull ? block.right : block.tree;
    for (Index k = first + warp(); k < last; k += TileShape::warps) {
      const DevicePanel p = plan.panel[k];
      for (Index q = lane(); q < p.w * R; q += 32)
        own[p.own * R + q] = right_side(p.first + q / R, q % R);
    }
    T* const rest = block.tree + tile.own * R;
    if (pull)
      gather_answers(block, plan.outside + plan.outside_start[t], outside, rest);
    else
      for (Index q = static_cast<Index>(threadIdx.x); q < outside * R; q += tile_workers)
        rest[q] = zero();
    join_workers();
  }
  __device__ void leave_subtree(Block& block, const Tile& tile) const {
    const Index t = tile.item.task;
    const Index outside = static_cast<Index>(plan.outside_start[t + 1] - plan.outside_start[t]);
    join_workers();
    for (Index q = static_cast<Index>(threadIdx.x); q < outside * R; q += tile_workers)
      hand_on(block, tile.space + tile.own + q / R, q % R, block.tree[tile.own * R + q]);
    join_workers();  // the next subtree's vector takes its place
  }

  // --- Pushing.

  __device__ static Index sums_of(Index w) {
    return min((w + columns_of_chunk() - 1) / columns_of_chunk(), Index{TileShape::warps});
  }

  __device__ void push_tile(Block& block, const Tile& tile, Index& q) const {
    const TileItem& item = tile.item;
    const Index w = tile.panel.w, h = tile.panel.h, sums = sums_of(w);
    const Index rows = (item.end - item.begin) * PanelShape::strip;
    const T* v = block.tree + (tile.panel.own + item.low) * R;
    if (tile.single) {
      v = block.vector;
      gather_push(block, tile);
    }
    join_workers();
    for_each_chunk(block, q, item.chunk_end, [&](const TileChunk& c, const S* values) {
      push_chunk(c, values, v - item.low * R, item.begin, sums, block.partial);
    });
    join_workers();
    if (!item.last_part) return;
    for (Index i = static_cast<Index>(threadIdx.x); i < rows * R; i += tile_workers) {
      const Index row = item.begin * PanelShape::strip + i / R;
      const int r = i % R;
      if (row >= w + h) break;
      T sum = zero();
      sum_and_clear(block.partial + (i / R / 32 * sums * 32 + i / R % 32) * R + r, sums, sum);
      if (row < w)
        put_answer(block, tile.panel.first + row, r, sum, false);
      else if (tile.single)
        hand_on(block, tile.space + row, r, carried(block, tile, row, r) - sum);
      else
        subtract(block.tree[plan.local[tile.panel.local + row - w] * R + r], sum);
    }
  }
  __device__ static void subtract(T& a, T sum) { a = a - sum; }
  // Adds the sums of all warps; they lie at zero between tiles.
  __device__ static void sum_and_clear(T* a, Index sums, T& sum) {
    T part[TileShape::warps];
    ECHELON_UNROLL
    for (int s = 0; s < TileShape::warps; ++s) part[s] = s < sums ? a[s * 32 * R] : zero();
    ECHELON_UNROLL
    for (int s = 0; s < TileShape::warps; ++s) {
      sum = sum + part[s];
      if (s < sums) a[s * 32 * R] = zero();
    }
  }

  // The tile's right-hand sides, and with one of them what its rows below carry on.
  __device__ void gather_push(Block& block, const Tile& tile) const {
    const TileItem& item = tile.item;
    const Index w = tile.panel.w, h = tile.panel.h, own = item.high - item.low;
    const Index begin = max(item.begin * PanelShape::strip, w);
    const Index end = min(item.end * PanelShape::strip, w + h);
    const Index below = R == 1 && item.last_part ? max(end - begin, 0) : 0;
    gather_sources(
        block, own + below,
        [&](Index k) { return tile.space + (k < own ? item.low + k : begin + k - own); },
        [&](Index k, int r, T sum) {
          if (k < own)
            block.vector[k * R + r] = sum + right_side(tile.panel.first + item.low + k, r);
          else
            carried_of(block, tile)[k - own] = sum;
        });
  }
  // Every other tile has the same room: who is ahead does not overwrite what others still read.
  __device__ static T* carried_of(const Block& block, const Tile& tile) {
    return block.carried + tile.odd * TileShape::slots * 32;
  }
  __device__ T carried(const Block& block, const Tile& tile, Index row, int r) const {
    if (R == 1)
      return carried_of(block, tile)[row - max(tile.item.begin * PanelShape::strip, tile.panel.w)];
    return take_place(block, tile.space + row, r);
  }
  __device__ T take_place(const Block& block, Offset place, int r) const {
    const TileSources::Pair from = pair[place];
    return take_sources(block, from, r, from.first >= 0 ? look(block, from.first, r) : zero(),
                        from.second >= 0 ? look(block, from.second, r) : zero());
  }

  // A lane is a row; v counts from the panel's first column.
  __device__ void push_chunk(const TileChunk& c, const S* values, const T* v, Index begin,
                             Index sums, T* partial) const {
    const Index row = lane();
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = shape_of(c.w, c.h, k);
      const Index to = min(c.from + c.columns, s.full + s.stair);
      Sums sum;
      Index j = c.from;
      if (j < s.full) {
        const Index columns = min(to, s.full) - j;
        if (row < s.rows) sum.add(columns, values + row_offset(row), s.rows, v + j * R);
        values += Offset{columns} * s.rows * parts;
        j += columns;
      }
      while (j < to) {  // the stair, eight columns a step
        const Index top = s.top(j), columns = min(to - j, Index{PanelShape::group});
        if (row >= top && row < s.rows)
          sum.add(columns, values + row_offset(row - top), s.rows - top, v + j * R);
        values += columns * (s.rows - top) * parts;
        j += columns;
      }
      if (row >= s.rows) continue;
      const Index slot =
          (k - begin) * sums + (sums < TileShape::warps ? c.from / columns_of_chunk() : warp());
      T* const out = partial + (slot * 32 + row) * R;
      for (int r = 0; r < R; ++r) out[r] = out[r] + sum.total(r);
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
  // One row times v, in chains of sums that do not wait for each other.
  struct Sums {
    static constexpr int chains = R == 1 ? 4 : 1, ahead = R == 1 ? 8 : 4;
    T sum[chains][R];
    __device__ Sums() {
      for (int a = 0; a < chains; ++a)
        for (int r = 0; r < R; ++r) sum[a][r] = zero();
    }
    __device__ void add(Index columns, const S* a, Index rows, const T* v) {
      const Index step = rows * parts;
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
    __device__ T total(int r) const {
      T all = sum[0][r];
      for (int a = 1; a < chains; ++a) all = all + sum[a][r];
      return all;
    }
  };

  // --- Pulling.

  // Answers of others, negative.
  __device__ void gather_answers(const Block& block, const Index* position, Index total,
                                 T* out) const {
    constexpr int ahead = 4;
    for (Index begin = 0; begin < total * R; begin += ahead * tile_workers) {
      Index from[ahead];
      T seen[ahead];
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_workers + static_cast<Index>(threadIdx.x);
        from[a] = q < total * R ? position[q / R] : -1;
      }
      if (begin == 0 && lane() == 0 && from[0] >= 0) take(block, answers + from[0], 0);
      sync_warp();
      const int r = static_cast<int>(threadIdx.x) % R;
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a)
        seen[a] = from[a] >= 0 ? look(block, answers + from[a], r) : zero();
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a)
        if (from[a] >= 0)
          out[begin + a * tile_workers + static_cast<Index>(threadIdx.x)] =
              -wait_for(block, answers + from[a], r, seen[a]);
    }
  }

  __device__ void pull_tile(Block& block, const Tile& tile, Index& q) const {
    const TileItem& item = tile.item;
    const Index w = tile.panel.w, h = tile.panel.h;
    const Index low = item.low * PanelShape::strip,
                high = min(item.high * PanelShape::strip, w + h);
    gather_pull(block, tile, low, high);
    join_workers();
    T sum[R];
    for (int r = 0; r < R; ++r) sum[r] = zero();
    for_each_chunk(block, q, item.chunk_end, [&](const TileChunk& c, const S* values) {
      pull_chunk(c, values, block.vector - low * R, w + h, sum);
    });
    // Lanes of one column, then warps.
    for (int step = lanes_of(item.end - item.begin); step < 32; step *= 2)
      for (int r = 0; r < R; ++r) sum[r] = sum[r] + broadcast(sum[r], lane() ^ step);
    if (lane() < item.end - item.begin)
      for (int r = 0; r < R; ++r) {
        T& out = block.partial[(warp() * 32 + lane()) * R + r];
        out = out + sum[r];
      }
    join_workers();
    if (!item.last_part) return;
    for (Index i = static_cast<Index>(threadIdx.x); i < (item.end - item.begin) * R;
         i += tile_workers) {
      const Index j = item.begin + i / R;
      T total = zero();
      sum_and_clear(block.partial + i, TileShape::warps, total);
      put_pulled(block, tile, j, i % R, total);
    }
    if (!tile.single) join_workers();
  }
  __device__ void put_pulled(const Block& block, const Tile& tile, Index j, int r, T a) const {
    put_answer(block, tile.panel.first + j, r, a, tile.single || tile.triangle);
    if (!tile.single) block.tree[(tile.panel.own + j) * R + r] = -a;
  }

  // Rows [low, high) of the panel into the block's vector.
  __device__ void gather_pull(Block& block, const Tile& tile, Index low, Index high) const {
    const Index w = tile.panel.w;
    for (Index i = low * R + static_cast<Index>(threadIdx.x); i < min(high, w) * R;
         i += tile_workers)
      block.vector[i - low * R] = tile.single ? right_side(tile.panel.first + i / R, i % R)
                                              : block.right[tile.panel.own * R + i];
    const Index from = max(low, w);
    if (from >= high) return;
    T* const out = block.vector + (from - low) * R;
    if (tile.single)
      return gather_answers(block, plan.outside + plan.outside_start[tile.item.task] + (from - w),
                            high - from, out);
    for (Index i = static_cast<Index>(threadIdx.x); i < (high - from) * R; i += tile_workers)
      out[i] = block.tree[plan.local[tile.panel.local + from - w + i / R] * R + i % R];
  }

  // Lanes that columns are spread over; the others have the next rows.
  __device__ static int lanes_of(Index columns) {
    int lanes = 8;
    while (lanes < columns) lanes *= 2;
    return lanes;
  }

  // A lane is a column and some rows; neighbours begin one row apart, so that no two read the same
  // bank.  v counts from the panel's first row.
  __device__ void pull_chunk(const TileChunk& c, const S* values, const T* v, Index rows,
                             T (&sum)[R]) const {
    const int lanes = lanes_of(c.columns);
    const Index mine = lane() % lanes, column = c.from + mine, group = lane() / lanes * lanes;
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = shape_of(c.w, c.h, k);
      const T* const u = v + s.begin * R;
      if (s.full >= c.from + c.columns && s.begin + PanelShape::strip <= rows) {
        const S* const a = values + mine * PanelShape::strip * parts + row_offset(group);
        if (mine < c.columns) pull_rows(lanes, mine, a, u + group * R, sum);
        values += c.columns * PanelShape::strip * parts;
      } else {
        const Index to = min(c.from + c.columns, s.full + s.stair);
        const auto start = static_cast<Index>(s.column(c.from));
        if (column < to) {
          const Index top = s.top(column), last = min(s.rows, rows - s.begin);
          const S* const a = values + (static_cast<Index>(s.column(column)) - start) * parts;
          pull_some_rows(lanes, group, mine, max(top, group), min(last, group + lanes), top, a, u,
                         sum);
        }
        values += (static_cast<Index>(s.column(to)) - start) * parts;
      }
    }
  }
  __device__ static void pull_rows(int lanes, Index mine, const S* a, const T* u, T (&sum)[R]) {
    constexpr int ahead = R == 1 ? 8 : 4;
    for (int step = 0; step < lanes; step += ahead) {
      T m[ahead];
      Index i[ahead];
      ECHELON_UNROLL
      for (int q = 0; q < ahead; ++q) {
        i[q] = (step + q + mine) & (lanes - 1);
        m[q] = read(a + row_offset(i[q]));
      }
      ECHELON_UNROLL
      for (int q = 0; q < ahead; ++q) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r) sum[r] = multiply_add(m[q], u[i[q] * R + r], sum[r]);
      }
    }
  }
  // Rows [begin, end) of a strip that is not full; what lies outside is read from inside, and not
  // counted.
  __device__ static void pull_some_rows(int lanes, Index group, Index mine, Index begin, Index end,
                                        Index top, const S* a, const T* u, T (&sum)[R]) {
    constexpr int ahead = 4;
    if (begin >= end) return;
    for (int step = 0; step < lanes; step += ahead) {
      T m[ahead];
      Index i[ahead];
      ECHELON_UNROLL
      for (int q = 0; q < ahead; ++q) {
        const Index row = group + ((step + q + mine) & (lanes - 1));
        i[q] = min(max(row, begin), end - 1);
        m[q] = i[q] == row ? read(a + row_offset(row - top)) : zero();
      }
      ECHELON_UNROLL
      for (int q = 0; q < ahead; ++q) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r) sum[r] = multiply_add(m[q], u[i[q] * R + r], sum[r]);
      }
    }
  }

  // --- Panels whose inverse could not be trusted: solved with, strip by strip, straight from
  // memory.  Answers go through the flow even inside the panel.

  __device__ void run_triangle(Block& block, const Tile& tile, Index& q) const {
    for_each_chunk(block, q, tile.item.chunk_end, [](const TileChunk&, const S*) {});
    join_workers();
    if (!tile.item.last_part) return;
    if (pull)
      pull_triangle(block, tile);
    else
      for (Index k = tile.item.begin; k < tile.item.end; ++k) push_triangle(block, tile, k);
    join_workers();
  }
  __device__ T stored(const Tile& tile, Offset column, Index i) const {
    return entry(value + tile.panel.value * parts, column, i, T{});
  }

  // One strip: the columns before it by all warps, then its own by the first.
  __device__ void push_triangle(Block& block, const Tile& tile, Index k) const {
    const DevicePanel& p = tile.panel;
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
      join_workers();
      if (warp() == 0) {
        T rest = zero();
        T* const inside = has && !tile.single ? tree_row(block, tile, row, r) : nullptr;
        if (has && tile.single) rest = take_place(block, tile.space + row, r);
        if (has && tile.single && row < p.w) rest = rest + right_side(p.first + row, r);
        if (inside != nullptr) rest = *inside;
        T before = zero();
        sum_and_clear(block.partial + lane() * R, TileShape::warps, before);
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
      join_workers();
    }
  }
  // Where a row of the panel lies in its subtree's vector.
  __device__ T* tree_row(const Block& block, const Tile& tile, Index row, int r) const {
    const DevicePanel& p = tile.panel;
    return block.tree + (row < p.w ? p.own + row : plan.local[p.local + row - p.w]) * R + r;
  }

  // Columns of one tile: rows after them by all warps, then its own triangle by the first.
  __device__ void pull_triangle(Block& block, const Tile& tile) const {
    const DevicePanel& p = tile.panel;
    const Index begin = tile.item.begin, columns = tile.item.end - begin, j = begin + lane();
    const bool has = lane() < columns;
    const Index* const outside = plan.outside + plan.outside_start[tile.item.task];
    for (int r = 0; r < R; ++r) {
      T sum = zero();
      for (Index i = tile.item.end + warp(); i < p.w + p.h; i += TileShape::warps) {
        T a = zero();
        if (i >= p.w && !tile.single)
          a = *tree_row(block, tile, i, r);
        else
          a = -take(block, answers + (i < p.w ? p.first + i : outside[i - p.w]), r);
        const Strip s = strip_of(p.w, p.h, i / PanelShape::strip);
        if (has) sum = sum + stored(tile, s.column(j), i - s.begin - s.top(j)) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      join_workers();
      if (warp() == 0) {
        T rest = zero();
        if (has) rest = tile.single ? right_side(p.first + j, r) : block.right[(p.own + j) * R + r];
        sum_and_clear(block.partial + lane() * R, TileShape::warps, rest);
        const Strip s = strip_of(p.w, p.h, begin / PanelShape::strip);
        for (Index i = columns; i-- > 0;) {
          const Index inside = begin + i - s.begin;  // row of the strip
          const T mine = has && lane() <= i ? stored(tile, s.column(j), inside - s.top(j)) : zero();
          const T a = broadcast(rest, i) / broadcast(mine, i);
          if (lane() < i) rest = rest - mine * a;
          if (lane() == i) put_pulled(block, tile, j, r, a);
        }
      }
      join_workers();
    }
  }

  __device__ void end_block() const {
    if (count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    state->turn ^= 1;
  }
};

}  // namespace echelon
