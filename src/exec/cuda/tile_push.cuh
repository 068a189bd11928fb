// exec/cuda/tile_push.cuh -- tiles of the persistent solve that push: right-hand sides times
// an inverted panel, and what its rows below carry on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tile_flow.cuh"

namespace echelon {

template <class T, class S, int R>
struct TilePush : TileFlow<T, S, R> {
  using Flow = TileFlow<T, S, R>;
  using Flow::parts, Flow::chunk_columns, Flow::plan, Flow::pull, Flow::room, Flow::lane,
      Flow::warp, Flow::worker, Flow::zero, Flow::shape_of, Flow::row_offset, Flow::read,
      Flow::for_each_chunk, Flow::given_side, Flow::hand_on, Flow::put_answer, Flow::want_sources,
      Flow::gather_sources, Flow::add_up;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Wanted;

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
      T* const slot = block.partial + (i / R / 32 * sums * 32 + i / R % 32) * R + i % R;
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
                     nothing, [&](Index k, int r, T left) {
                       T total;
                       total_of((below - top + k) * R + r, total);
                       hand_on(block, tile.space + below + k, r, left - total);
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
    const TilePush& pass;
    const Tile& tile;
    Index own, below, total;
    __device__ PushEntries(const TilePush& p, const Tile& t)
        : pass(p), tile(t), own(t.high - t.low), below(first_below(t)) {
      const bool carries = R == 1 && t.last && t.part + 1 == t.parts;
      total = own + (carries ? min(t.end * PanelShape::strip, t.w + t.h) - below : 0);
    }
    __device__ Offset place(Index k) const {
      return tile.space + (k < own ? tile.low + k : below + k - own);
    }
    __device__ void given(Index k, int r, T& side) const {
      if (k < own) side = pass.given_side(tile.first + tile.low + k, r);
    }
  };
  __device__ Wanted want_item(const Tile& tile) const {
    if (pull || !tile.single || tile.triangle) return {};
    const PushEntries e(*this, tile);
    return want_sources(
        worker(), e.total, [&](Index k) { return e.place(k); },
        [&](Index k, int r, T& given) { e.given(k, r, given); });
  }
  __device__ Wanted wanted_after(const Block& block, Index i, Index end) const {
    if (i + 1 < end) return want_item(block.tile[(i + 1) & 1]);
    return {};
  }
  __device__ void gather_push(Block& block, const Tile& tile, T* carried,
                              const Wanted& wanted) const {
    const PushEntries e(*this, tile);
    gather_sources(
        block, e.total, wanted, [&](Index k) { return e.place(k); },
        [&](Index k, int r, T& given) { e.given(k, r, given); },
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
};

}  // namespace echelon
