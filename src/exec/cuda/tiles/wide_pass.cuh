// exec/cuda/tiles/wide_pass.cuh -- device code of method tree for blocks of right-hand sides:
// products of panels with up to 32 vectors at a time, by FP64 tensor cores.
// SPDX-License-Identifier: BSD-3-Clause
//
// Inside a block.  A warp owns a tile of 32 rows of the result (a strip when pushing, 32 columns of
// the panel when pulling), or shares it with other warps, each with a part of the sum.  The first
// chunks of the panel are under way before the block waits.  No warp waits for another until all
// products are done.
//
// Between blocks.  Blocks take tickets in turn.  An item waits until a counter says that the items
// it needs are done; all of them have earlier tickets, so they are done or in work, and no block
// waits forever.  Pushing, a task leaves its numbers in its own vector, and the next task up the
// tree that has the row adds them up: the counter (release, acquire) says that they are there.  The
// last block to finish resets all counters.  Sums have a fixed order: the same bits in every run.
//
// Way out: see exec/cuda/runtime/grid_state.cuh.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/tiles/wide_stream.cuh"

namespace echelon {

// The code for one item; all threads of the block call the functions together.
template <class S, int Q, bool pull>
struct WideTile : WideBlock<S, Q> {
  using Block = WideBlock<S, Q>;
  using Stage = typename WideShared<Q>::Stage;
  using Block::at, Block::two, Block::warp, Block::lane, Block::worker;
  using Block::for_each_eight;
  using Block::p, Block::shared, Block::item, Block::group, Block::columns, Block::stride;

  __device__ WideTile(const WideParameters<S>& all, WideShared<Q>& room, Index mine)
      : Block{all, room, room.item, mine},
        share(WideShape::share(item.end - item.begin)),
        tile(item.begin + warp() / share),
        stream{shared.stage[warp()], 0, 0, 8 * share, {}} {
    if (item.kind == WideKind::collect || tile >= item.end) return;
    stream.begin = item.low * WideShape::tile + 8 * (warp() % share);
    stream.end = pull ? last_row() : min(min(item.high, tile + 1) * WideShape::tile, item.w);
    find_plain_part();
  }

  // What needs no other task's numbers: the beginning of the panel, and where numbers come from or
  // go to.
  __device__ void prepare() {
    stream.open([&](Index k, Stage& stage) { copy_panel(k, stage); });
    if constexpr (pull) {
      for (Index row = first_row() + worker(); row < last_row(); row += wide_threads)
        shared.row[row - first_row()] =
            row < item.w ? p.given + item.first + row
                         : p.sides.vectors.n + p.outside[item.outside + row - item.w];
    } else if (item.receives) {
      const Index most = WideSources::most, first = first_receiver();
      const Index* const source = p.source + (item.space + first) * most;
      for (Index k = worker(); k < (last_row() - first) * most; k += wide_threads)
        shared.row[k] = source[k];
    }
  }
  __device__ void run() {
    if (!pull && item.kind == WideKind::collect) return collect();
    stream.run([&](Index k, Stage& stage) { copy_panel(k, stage); },
               [&](Index k, Stage& stage) { copy_right(k, stage); });
    copies_arrive<0>();
    __syncthreads();
    if (tile < item.end) stream.store(shared.sum + warp() * WideShape::tile * stride);
    __syncthreads();
    if constexpr (pull)
      finish_pull();
    else
      finish_push();
  }

 private:
  // Pull: the rows of the panel that the item reads.  Push: those of its results; collect: those of
  // its right-hand sides.
  __device__ Index first_row() const { return pull ? item.low * WideShape::tile : 0; }
  __device__ Index last_row() const {
    return min((pull ? item.high : item.end) * WideShape::tile,
               item.kind == WideKind::collect ? item.w : item.w + item.h);
  }
  // Push: the first of the rows that have numbers of other tasks to add.
  __device__ Index first_receiver() const {
    const Index top = item.begin * WideShape::tile;
    return item.kind == WideKind::collect ? top : min(max(top, item.w), last_row());
  }

  // --- Copies.

  // Most chunks are in the plain part of the panel: all values are stored, at equal distances.
  __device__ void find_plain_part() {
    constexpr Index r = WideShape::tile;
    const int g = lane() / 4, t = lane() % 4;
    const S* const panel = p.value + item.value;
    if constexpr (pull) {
      const Index top = (item.w + r - 1) / r;
      if ((tile + 1) * r > item.w) return;
      plain_begin = top * r;
      plain_end = (item.w + item.h) / r * r;
      plain = panel + strip_start(item.w, top) + (tile * r + g) * r + 2 * t;
    } else {
      const Strip strip = strip_of(item.w, item.h, tile);
      if (strip.rows < r) return;
      plain_end = strip.full / 8 * 8;
      plain = panel + strip.start + 2 * t * r + 2 * g;
    }
  }
  // Pushing: columns [k, k+8) of the strip; pulling: rows [k, k+8) of the tile's columns.
  __device__ void copy_panel(Index k, Stage& stage) const {
    constexpr Index r = WideShape::tile;
    if ((pull && k < plain_begin) || k >= plain_end) return copy_stored(k, stage);
    const S* const from =
        pull ? plain + Offset{(k - plain_begin) / r} * (r * item.w) + k % r : plain + Offset{k} * r;
    ECHELON_UNROLL
    for (int a = 0; a < 4; ++a)
      copy_async<2 * sizeof(S)>(&stage.a[a][lane()],
                                from + (pull ? 8 * a * r : a % 2 * r + a / 2 * 16), true);
  }
  // The same anywhere: what is not stored becomes zero.
  __device__ void copy_stored(Index k, Stage& stage) const {
    const int g = lane() / 4, t = lane() % 4;
    const S* const panel = p.value + item.value;
    const Strip s = strip_of(item.w, item.h, pull ? k / WideShape::tile : tile);
    ECHELON_UNROLL
    for (int a = 0; a < 4; ++a) {
      const Index row = pull ? k - s.begin + 2 * t : 16 * (a / 2) + 2 * g;
      const Index column = pull ? tile * WideShape::tile + 8 * a + g : k + 2 * t + a % 2;
      const bool there = column < s.full + s.stair && row >= s.top(column) && row < s.rows;
      copy_async<2 * sizeof(S)>(&stage.a[a][lane()],
                                there ? panel + s.column(column) + (row - s.top(column)) : panel,
                                there);
    }
  }
  // The rows of right-hand sides that chunk k is multiplied with.
  __device__ void copy_right(Index k, Stage& stage) const {
    const Index column = lane() % (4 * Q) * 2, first = lane() / (4 * Q);
    ECHELON_UNROLL
    for (int a = 0; a < Q; ++a) {
      const Index row = first + a * (8 / Q);
      const bool there = k + row < stream.end;
      Index from = item.first + k + row;
      if (pull && there) from = shared.row[k + row - first_row()];
      copy_shared(&stage.x[row * stride + column], p.rows + (there ? at(from) : 0) + column, there);
    }
  }

  // --- Numbers of other tasks.

  // Calls use(q, column, the sum of what other tasks sent to row first_receiver() + q) for all rows
  // that receive.
  template <class Use>
  __device__ void for_each_received(const Use& use) const {
    const Index rows = last_row() - first_receiver();
    const auto from = [&](Index q, int k, Index column) {
      return two(p.space, shared.row[q * WideSources::most + k], column);
    };
    if (item.receives == 0)
      this->template for_each_two<4>(
          rows,
          [](Index, Index) {
            return WideTwo{0, 0};
          },
          use);
    else if (item.receives <= 2)
      this->template for_each_two<8>(
          rows, [&](Index q, Index column) { return from(q, 0, column) + from(q, 1, column); },
          use);
    else
      this->template for_each_two<4>(
          rows,
          [&](Index q, Index column) {
            return (from(q, 0, column) + from(q, 1, column)) +
                   (from(q, 2, column) + from(q, 3, column));
          },
          [&](Index q, Index column, WideTwo sum) {
            use(q, column, received_more(sum, q, column));
          });
  }
  // The same from the lists of further sources, which few tasks have.
  __device__ WideTwo received_more(WideTwo sum, Index q, Index column) const {
    if (item.more < 0) return sum;
    const Index* const list = p.more + item.more + first_receiver() + q;
    for (Index k = list[0]; k < list[1]; ++k) sum = sum + two(p.space, p.more[k], column);
    return sum;
  }
  __device__ void collect() const {
    const Index first = item.first + first_receiver();
    for_each_received([&](Index q, Index column, WideTwo sum) {
      WideTwo& right = two(p.rows, first + q, column);
      right = right + sum;
    });
  }

  // --- Results.

  // The sum of the first warp that shares the tile of row `row`.
  __device__ double* sum_of(Index row, Index column) const {
    return shared.sum +
           (row / WideShape::tile * share * WideShape::tile + row % WideShape::tile) * stride +
           column;
  }
  // The sum of all warps that share it, or of all parts of the item.
  __device__ WideTwo total(Index row, Index column) const {
    if (item.parts > 1) return parts_total(row, column);
    return warps_total(row, column);
  }
  __device__ WideTwo warps_total(Index row, Index column) const {
    const double* const first = sum_of(row, column);
    WideTwo sum{0, 0};
    for (int k = 0; k < share; ++k)
      sum = sum + *reinterpret_cast<const WideTwo*>(first + k * WideShape::tile * stride);
    return sum;
  }
  // Stores answers of `rows` rows from row `first` of the task on, from sum_of's place.
  __device__ void store_answers(Index first, Index rows) const {
    const auto store = [&](Index row, Index column) {
      p.sides.store(item.first + first + row, group * columns + column, *sum_of(row, column));
    };
    if (p.sides.vectors.x_step == 1)
      for_each_eight(rows, [&](Index row, Index column) {
        ECHELON_UNROLL
        for (int k = 0; k < 8; ++k) store(row, column + k);
      });
    else
      this->template for_each_two<4>(
          rows, [](Index, Index) { return WideTwo{}; },
          [&](Index row, Index column, WideTwo) {
            store(row, column);
            store(row, column + 1);
          });
  }
  __device__ void finish_push() const {
    const Index top = item.begin * WideShape::tile, below = first_receiver();
    if (item.parts > 1 && !ends_parts(last_row() - top)) return;
    for_each_received([&](Index q, Index column, WideTwo left) {
      two(p.space, item.space + below + q, column) = left - total(below - top + q, column);
    });
    if (below == top) return;
    this->template for_each_two<4>(
        below - top, [&](Index row, Index column) { return total(row, column); },
        [&](Index row, Index column, WideTwo a) {
          const Index position = item.first + top + row;
          if (p.sides.relays)
            two(p.rows, Offset{2} * p.sides.vectors.n + position, column) = {
                p.sides.relayed(position, a.a), p.sides.relayed(position, a.b)};
          else
            *reinterpret_cast<WideTwo*>(sum_of(row, column)) = a;
        });
    if (p.sides.relays) return;
    __syncthreads();
    store_answers(top, below - top);
  }
  __device__ void finish_pull() const {
    const Index begin = item.begin * WideShape::tile,
                rows = min(item.end * WideShape::tile, item.w) - begin;
    if (item.parts > 1 && !ends_parts(rows)) return;
    this->template for_each_two<4>(
        rows, [&](Index row, Index column) { return total(row, column); },
        [&](Index row, Index column, WideTwo a) {
          two(p.rows, Offset{p.sides.vectors.n} + item.first + begin + row, column) = -a;
          *reinterpret_cast<WideTwo*>(sum_of(row, column)) = a;
        });
    __syncthreads();
    store_answers(begin, rows);
  }
  // Where part k of the item stores its sums.
  __device__ Offset scratch_row(Index k, Index row) const {
    return (item.place + Offset{k} * (item.end - item.begin)) * WideShape::tile + row;
  }
  // Stores the sums of this part; returns true in the last part of all to come.
  __device__ bool ends_parts(Index rows) const {
    this->template for_each_two<4>(
        rows, [&](Index row, Index column) { return warps_total(row, column); },
        [&](Index row, Index column, WideTwo a) {
          two(p.scratch, scratch_row(item.part, row), column) = a;
        });
    __syncthreads();
    if (worker() == 0) {
      fence_blocks();
      shared.last = this->count(item.counter) + 1 == static_cast<unsigned>(item.parts);
      fence_blocks();
    }
    __syncthreads();
    return shared.last;
  }
  __device__ WideTwo parts_total(Index row, Index column) const {
    WideTwo sum{0, 0};
    for (Index first = 0; first < item.parts; first += 4) {
      ECHELON_UNROLL
      for (Index k = first; k < first + 4; ++k)
        if (k < item.parts) sum = sum + two(p.scratch, scratch_row(k, row), column);
    }
    return sum;
  }

  int share;
  Index tile;
  Index plain_begin = 0, plain_end = 0;  // chunks
  const S* plain = nullptr;              // this lane's first value there
  WideStream<S, Q, pull> stream;
};

// --- The block.

// One word of an item per lane of the first warp.
constexpr Index wide_words = sizeof(WideItem) / sizeof(Index);
static_assert(wide_words <= 32);

template <class S>
__device__ Index fetch_word(const WideParameters<S>& p, unsigned ticket) {
  const WideItem* const item = p.items + ticket / static_cast<unsigned>(p.groups);
  return ticket < p.tickets && threadIdx.x < wide_words
             ? reinterpret_cast<const Index*>(item)[threadIdx.x]
             : 0;
}
template <class S>
__device__ unsigned take_ticket(const WideParameters<S>& p) {
  return threadIdx.x == 0 ? count_up(p.ticket) : 0;
}
// The first warp: the ticket and the item for the whole block.
template <int Q>
__device__ void store_item(WideShared<Q>& shared, unsigned ticket, Index word) {
  if (threadIdx.x == 0) shared.ticket = ticket;
  if (threadIdx.x < wide_words) reinterpret_cast<Index*>(&shared.item)[threadIdx.x] = word;
}
// Asks for the values of an item in the L2 cache, if they lie side by side.
template <class S>
__device__ void prefetch_values(const WideParameters<S>& p, const WideItem& item) {
  const bool pull = item.kind == WideKind::pull;
  if (item.kind == WideKind::collect) return;
  if (pull && (item.end - item.begin) * WideShape::tile < item.w) return;
  const Index first = pull ? item.low : item.begin, end = pull ? item.high : item.end;
  const Strip last = strip_of(item.w, item.h, end - 1);
  const Offset from = strip_start(item.w, first);
  prefetch_bytes(p.value + item.value + from,
                 static_cast<unsigned>((last.start + last.size() - from) * Offset{sizeof(S)}));
}
// The last block to finish resets what the blocks share.
template <class S>
__device__ void end_wide_pass(const WideParameters<S>& p, bool& last) {
  if (threadIdx.x == 0) {
    fence_blocks();
    last = p.grid.ends_last();
  }
  __syncthreads();
  if (!last) return;
  for (Index k = static_cast<Index>(threadIdx.x); k < p.counters; k += wide_threads)
    p.counter[k] = 0;
  if (threadIdx.x == 0) *p.ticket = 0;
}

// The code of one block.  The next ticket and item are under way during an item.
template <class S, int Q, bool pull>
__device__ void run_wide_pass(const WideParameters<S>& p, WideShared<Q>& shared) {
  const bool leads = threadIdx.x < 32;
  if (leads) {
    const unsigned first = share_of_first_lane(take_ticket(p));
    store_item(shared, first, fetch_word(p, first));
  }
  __syncthreads();
  while (shared.ticket < p.tickets) {
    unsigned next = leads ? take_ticket(p) : 0;
    if (threadIdx.x == 32) prefetch_values(p, shared.item);
    const auto group = static_cast<Index>(shared.ticket % static_cast<unsigned>(p.groups));
    WideTile<S, Q, pull> tile(p, shared, group);
    tile.prepare();
    if (leads) next = share_of_first_lane(next);
    const Index word = leads ? fetch_word(p, next) : 0;
    if (threadIdx.x == 0) tile.wait();
    __syncthreads();
    tile.run();
    __syncthreads();
    if (threadIdx.x == 0 && (shared.item.parts < 2 || shared.last)) tile.signal();
    if (leads) {
      sync_warp();
      store_item(shared, next, word);
    }
    __syncthreads();
  }
  end_wide_pass(p, shared.last);
}

}  // namespace echelon
