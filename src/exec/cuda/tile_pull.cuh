// exec/cuda/tile_pull.cuh -- tiles of the persistent solve that pull: answers times the
// transpose of an inverted panel.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tile_push.cuh"

namespace echelon {

template <class T, class S, int R>
struct TilePull : TilePush<T, S, R> {
  using Flow = TileFlow<T, S, R>;
  using Flow::parts, Flow::chunk_columns, Flow::plan, Flow::room, Flow::answers, Flow::lane,
      Flow::warp, Flow::worker, Flow::zero, Flow::shape_of, Flow::row_offset, Flow::read,
      Flow::for_each_chunk, Flow::right_side, Flow::put_answer, Flow::gather, Flow::add_up;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord;

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
};

}  // namespace echelon
