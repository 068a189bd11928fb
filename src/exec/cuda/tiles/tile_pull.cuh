// exec/cuda/tiles/tile_pull.cuh -- device code of method tree for tiles that pull: the transpose of
// an inverted panel times answers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/tile_push.cuh"

namespace echelon {

template <class T, class S, int R, bool MultiGpu = false>
struct TilePull : TilePush<T, S, R, MultiGpu> {
  using Flow = TileFlow<T, S, R, MultiGpu>;
  using Flow::parts, Flow::ahead, Flow::chunk_columns, Flow::plan, Flow::room, Flow::relays,
      Flow::conjugates, Flow::divisor, Flow::pushed, Flow::answers, Flow::vectors, Flow::lane,
      Flow::warp, Flow::worker, Flow::zero, Flow::shape_of, Flow::row_offset, Flow::read,
      Flow::fetch, Flow::head_of, Flow::stage_of, Flow::wait_for_chunk, Flow::next_chunk,
      Flow::right_side, Flow::publish, Flow::not_empty, Flow::store_answer, Flow::poll,
      Flow::consume, Flow::ask_until_there, Flow::with_ahead, Flow::for_each_batch, Flow::add_up,
      Flow::share, Flow::hand_far;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Stored,
      typename Flow::Turn, typename Flow::One;

  __device__ void pull_tile(Block& block, const Tile& tile, const ItemWord& next) const {
    const Index columns = tile.end - tile.begin, low = tile.low * PanelShape::strip,
                high = min(tile.high * PanelShape::strip, tile.w + tile.h);
    if (tile.single)
      with_ahead((high - low) * R, [&](auto n) { gather_pull<n>(block, tile, low, high); });
    else
      copy_rows(block, tile, low, high);
    __syncthreads();
    multiply(block, tile, block.vector - low);
    next.store();
    __syncthreads();
    if (!tile.last) return;
    for (Index i = worker(); i < columns * R; i += tile_threads) {
      T total;
      const Index column = i / R, group = column / chunk_columns;
      T* const slot = block.partial +
                      (group * TileShape::warps * 32 + column - group * chunk_columns) * R + i % R;
      if (!add_up(block.turn, tile, slot, TileShape::warps, i, columns, total)) continue;
      const Index j = tile.begin + i / R;
      if constexpr (MultiGpu) {
        total = total + told_sum(block.turn, tile, j, i % R);
        if (tile.up.pe >= 0) {
          hand_far(tile.up.pe, tile.up.place + j, i % R, total);
          continue;
        }
      }
      answer_pull(block.turn, tile, block.tree, j, i % R, total);
    }
    if (!tile.single) __syncthreads();
  }
  __device__ void answer_pull(const Turn& turn, const Tile& tile, T* tree, Index j, int r,
                              T a) const {
    if (tile.single || tile.triangle) publish(turn, answers + tile.first + j, r, a);
    if constexpr (MultiGpu) this->publish_remote(tile, j, r, a);
    store_answer(tile.first + j, r, conjugate_if(conjugates, a));
    if (!tile.single) tree[(tile.at + j) * R + r] = -a;
  }
  // The sum of the contributions of other PEs to a column.
  __device__ T told_sum(const Turn& turn, const Tile& tile, Index j, int r) const {
    T sum = zero();
    for (Index k = 0; k < tile.received_children; ++k)
      sum = sum + consume(turn, tile.received + Offset{k} * tile.w + j, r);
    return sum;
  }
  // The right-hand side of an unknown.
  __device__ T right_pull(const Turn& turn, Index position, int r) const {
    return relays ? relayed(position, consume(turn, pushed + position, r))
                  : right_side(position, r);
  }
  // Converts an answer of the push part into a right-hand side of the pull part.
  __device__ T relayed(Index position, T a) const {
    if (divisor != nullptr) a = a / divisor[vectors.unknown(position)];
    return conjugate_if(conjugates, a);
  }

  // Loads the positions of an item's first rows before the item begins.
  __device__ void want_pull(Block& block, const Tile& tile) const {
    if (!tile.single || tile.triangle) return;
    ECHELON_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const Index row = tile.low * PanelShape::strip + (worker() + a * tile_threads) / R;
      if (row >= tile.w && row < min(tile.high * PanelShape::strip, tile.w + tile.h))
        block.wanted[a] = plan.outside[tile.outside_start + row - tile.w];
    }
  }
  // The block's vector stores one right-hand side after the other: a lane reads one row, and
  // neighbouring lanes must not have bank conflicts.
  __device__ T& row_of(Block& block, Index row, int r) const {
    return block.vector[r * room.vector_size + row];
  }
  // Gathers rows [low, high) of the panel, N at a time.
  template <int N>
  __device__ void gather_pull(Block& block, const Tile& tile, Index low, Index high) const {
    const int r = worker() % R;
    this->template for_each_batch<N>((high - low) * R, [&](Index begin) {
      const bool first = begin < tile_threads;
      Offset place[N] = {};
      One seen[N];
      const auto look_at = [&](int a) { return One{poll(block.turn, place[a], r)}; };
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const Index row = low + (begin + a * tile_threads) / R;
        if (row >= high) {
          seen[a] = {zero()};
        } else if (row < tile.w && !relays) {
          seen[a] = {not_empty(right_side(tile.first + row, r))};
        } else {
          place[a] = row < tile.w ? pushed + tile.first + row
                     : first      ? answers + block.wanted[a]
                                  : answers + plan.outside[tile.outside_start + row - tile.w];
          seen[a] = look_at(a);
        }
      }
      ask_until_there(block.turn, seen, look_at);
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const Index row = low + (begin + a * tile_threads) / R;
        if (row >= high) continue;
        if (row >= tile.w)
          seen[a].a = -seen[a].a;
        else if (relays)
          seen[a].a = relayed(tile.first + row, seen[a].a);
        row_of(block, row - low, r) = seen[a].a;
      }
    });
  }
  // The same inside a subtree.
  __device__ void copy_rows(Block& block, const Tile& tile, Index low, Index high) const {
    for (Index i = low * R + worker(); i < high * R; i += tile_threads) {
      const Index row = i / R;
      row_of(block, row - low, i % R) =
          row < tile.w ? block.right[tile.at * R + i]
                       : block.tree[plan.local[tile.local + row - tile.w] * R + i % R];
    }
  }

  // The row that a lane reads in a step: different for each column's lane, so that there are no
  // bank conflicts.
  __device__ static Index row_in_step(int step, Index mine) { return step ^ mine; }
  // Multiplies this warp's chunks of the item, group by group.  A lane has one column and some
  // rows.  v is indexed from the panel's first row.
  __device__ void multiply(Block& block, const Tile& tile, const T* v) const {
    T sum[R];
    ECHELON_UNROLL
    for (int r = 0; r < R; ++r) sum[r] = zero();
    Index group = -1;  // first column of the group
    while (block.q < tile.chunk_end) {
      const TileChunk c = head_of(block, block.q);
      const S* const values = stage_of(block, block.q);
      if (c.from != group) {
        if (group >= 0) flush(block, tile, group, sum);
        group = c.from;
      }
      wait_for_chunk(block);
      if (c.full) {
        const Index mine = made_anew(lane()) % chunk_columns, rows = lane() - mine;
        const S* const a = values + mine * PanelShape::strip * parts + row_offset(rows);
        Stored m[chunk_columns];
        ECHELON_UNROLL
        for (int i = 0; i < chunk_columns; ++i) m[i] = fetch(a + row_offset(row_in_step(i, mine)));
        next_chunk(block);
        add_full(m, v + c.strip * PanelShape::strip + rows, mine, sum);
      } else {
        pull_some(c, tile, values, v, sum);
        next_chunk(block);
      }
    }
    if (group >= 0) flush(block, tile, group, sum);
  }
  // Adds up the sums of a group over the lanes of each column, adds them to this warp's slot and
  // resets them to zero.
  __device__ void flush(Block& block, const Tile& tile, Index group, T (&sum)[R]) const {
    const Index columns = min(tile.end - group, chunk_columns);
    for (int step = lanes_of(columns); step < 32; step *= 2) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) sum[r] = sum[r] + broadcast(sum[r], lane() ^ step);
    }
    const Index slot = (group - tile.begin) / chunk_columns * TileShape::warps + warp();
    ECHELON_UNROLL
    for (int r = 0; r < R; ++r) {
      T& out = block.partial[(slot * 32 + lane()) * R + r];
      if (lane() < columns) out = out + sum[r];
      sum[r] = zero();
    }
  }
  __device__ void add_full(const Stored (&m)[chunk_columns], const T* u, Index mine,
                           T (&sum)[R]) const {
    constexpr int chains = R == 1 ? 4 : 1;
    T other[chains][R];
    ECHELON_UNROLL
    for (int c = 0; c < chains; ++c) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) other[c][r] = c == 0 ? sum[r] : zero();
    }
    ECHELON_UNROLL
    for (int i = 0; i < chunk_columns; ++i) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) {
        T& a = other[i % chains][r];
        a = multiply_add(m[i].value(), u[r * room.vector_size + row_in_step(i, mine)], a);
      }
    }
    ECHELON_UNROLL
    for (int r = 0; r < R; ++r) {
      sum[r] = other[0][r];
      ECHELON_UNROLL
      for (int c = 1; c < chains; ++c) sum[r] = sum[r] + other[c][r];
    }
  }

  // Lanes over which the columns are spread; the other lanes handle the next rows.
  __device__ static int lanes_of(Index columns) {
    return columns <= 8 ? 8 : columns <= 16 ? 16 : 32;
  }
  // Multiplies a chunk that is not full.
  __device__ void pull_some(const TileChunk& c, const Tile& tile, const S* values, const T* v,
                            T (&sum)[R]) const {
    const int lanes = lanes_of(c.columns);
    const Index mine = lane() % lanes, column = c.from + mine, group = lane() / lanes * lanes;
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = shape_of(tile.w, tile.h, k);
      const Index until = min(c.from + c.columns, s.full + s.stair);
      const auto start = static_cast<Index>(s.column(c.from));
      if (column < until) {
        const Index top = s.top(column), last = min(s.rows, tile.w + tile.h - s.begin);
        const S* const a = values + (static_cast<Index>(s.column(column)) - start) * parts;
        pull_rows(lanes, group, mine, max(top, group), min(last, group + lanes), top, a,
                  v + s.begin, sum);
      }
      values += (static_cast<Index>(s.column(until)) - start) * parts;
    }
  }
  // Rows [begin, end) of a strip that is not full; rows outside this range count as zero.
  __device__ void pull_rows(int lanes, Index group, Index mine, Index begin, Index end, Index top,
                            const S* a, const T* u, T (&sum)[R]) const {
    constexpr int at_once = R == 1 ? 8 : 4;
    if (begin >= end) return;
    for (int step = 0; step < lanes; step += at_once) {
      T m[at_once];
      Index i[at_once];
      ECHELON_UNROLL
      for (int q = 0; q < at_once; ++q) {
        const Index row = group + ((step + q + mine) & (lanes - 1));
        i[q] = min(max(row, begin), end - 1);
        m[q] = i[q] == row ? read(a + row_offset(row - top)) : zero();
      }
      ECHELON_UNROLL
      for (int q = 0; q < at_once; ++q) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r)
          sum[r] = multiply_add(m[q], u[r * room.vector_size + i[q]], sum[r]);
      }
    }
  }
};

}  // namespace echelon
