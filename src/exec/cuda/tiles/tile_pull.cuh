// exec/cuda/tiles/tile_pull.cuh -- device code of method tree for tiles that pull: the transpose of
// an inverted panel times answers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/tile_block.cuh"

namespace echelon {

// The right-hand side of an unknown when pulling.
template <class K>
__device__ typename K::T right_pull(const TileParameters<K>& p, const Mailbox<K>& mail,
                                    Index position, int r) {
  return p.sides.relays
             ? p.sides.relayed(position, mail.consume(p.mailbox.place.pushed + position, r))
             : p.sides.right_side(position, r);
}
// Publishes and stores the answer of column j of a tile that pulls.
template <class K>
__device__ void answer_pull(const TileParameters<K>& p, const Mailbox<K>& mail,
                            const typename K::Tile& tile, typename K::T* tree, Index j, int r,
                            typename K::T a) {
  if (tile.single || tile.triangle) mail.publish(p.mailbox.place.answers + tile.first + j, r, a);
  if constexpr (K::multi_gpu) mail.publish_remote(tile, j, r, a);
  p.sides.store(tile.first + j, r, conjugate_if(p.sides.conjugates, a));
  if (!tile.single) tree[(tile.at + j) * K::R + r] = -a;
}

// A tile that pulls, or part of one.
template <class K>
struct PullTile {
  using T = typename K::T;
  using S = typename K::S;
  using Tile = typename K::Tile;
  using Stored = typename K::Stored;
  using One = typename Mailbox<K>::One;
  static constexpr int R = K::R, ahead = K::ahead;
  static constexpr Index chunk_columns = K::chunk_columns;

  const TileParameters<K>& p;
  TileBlock<K>& block;
  const Tile& tile;

  __device__ void run(const ItemWord& next) const {
    const Index columns = tile.end - tile.begin, low = tile.low * PanelShape::strip,
                high = min(tile.high * PanelShape::strip, tile.w + tile.h);
    if (tile.single)
      with_ahead<K>((high - low) * R, [&](auto n) { gather<n>(low, high); });
    else
      copy_rows(low, high);
    __syncthreads();
    multiply(block.vector - low);
    next.store();
    __syncthreads();
    if (!tile.last) return;
    for (Index i = worker(); i < columns * R; i += tile_threads) {
      T total;
      const Index column = i / R, group = column / chunk_columns;
      T* const slot = block.partial +
                      (group * TileShape::warps * 32 + column - group * chunk_columns) * R + i % R;
      if (!add_up<K>(block.mail, tile, slot, TileShape::warps, i, columns, total)) continue;
      const Index j = tile.begin + i / R;
      if constexpr (K::multi_gpu) {
        total = total + block.mail.consume_children(tile, j, i % R);
        if (tile.up.pe >= 0) {
          block.mail.publish_far(tile.up.pe, tile.up.place + j, i % R, total);
          continue;
        }
      }
      answer_pull<K>(p, block.mail, tile, block.tree, j, i % R, total);
    }
    if (!tile.single) __syncthreads();
  }

  // Loads the positions of an item's first rows before the item begins.
  __device__ void prefetch() const {
    if (!tile.single || tile.triangle) return;
    ECHELON_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const Index row = tile.low * PanelShape::strip + (worker() + a * tile_threads) / R;
      if (row >= tile.w && row < min(tile.high * PanelShape::strip, tile.w + tile.h))
        block.wanted[a] = p.plan.outside[tile.outside_start + row - tile.w];
    }
  }
  // The block's vector stores one right-hand side after the other: a lane reads one row, and
  // neighbouring lanes must not have bank conflicts.
  __device__ T& row_of(Index row, int r) const {
    return block.vector[r * p.room.vector_size + row];
  }
  // Gathers rows [low, high) of the panel, N at a time.
  template <int N>
  __device__ void gather(Index low, Index high) const {
    const int r = worker() % R;
    for_each_batch<N>((high - low) * R, [&](Index begin) {
      const bool first = begin < tile_threads;
      Offset place[N] = {};
      One seen[N];
      const auto poll = [&](int a) { return One{block.mail.poll(place[a], r)}; };
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const Index row = low + (begin + a * tile_threads) / R;
        if (row >= high) {
          seen[a] = {K::zero()};
        } else if (row < tile.w && !p.sides.relays) {
          seen[a] = {block.mail.not_empty(p.sides.right_side(tile.first + row, r))};
        } else {
          place[a] =
              row < tile.w ? p.mailbox.place.pushed + tile.first + row
              : first      ? p.mailbox.place.answers + block.wanted[a]
                      : p.mailbox.place.answers + p.plan.outside[tile.outside_start + row - tile.w];
          seen[a] = poll(a);
        }
      }
      block.mail.wait_for_all(seen, poll);
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const Index row = low + (begin + a * tile_threads) / R;
        if (row >= high) continue;
        if (row >= tile.w)
          seen[a].a = -seen[a].a;
        else if (p.sides.relays)
          seen[a].a = p.sides.relayed(tile.first + row, seen[a].a);
        row_of(row - low, r) = seen[a].a;
      }
    });
  }
  // The same inside a subtree.
  __device__ void copy_rows(Index low, Index high) const {
    for (Index i = low * R + worker(); i < high * R; i += tile_threads) {
      const Index row = i / R;
      row_of(row - low, i % R) =
          row < tile.w ? block.right[tile.at * R + i]
                       : block.tree[p.plan.local[tile.local + row - tile.w] * R + i % R];
    }
  }

  // The row that a lane reads in a step: different for each column's lane, so that there are no
  // bank conflicts.
  __device__ static Index row_in_step(int step, Index mine) { return step ^ mine; }
  // Multiplies this warp's chunks of the item, group by group.  A lane has one column and some
  // rows.  v is indexed from the panel's first row.
  __device__ void multiply(const T* v) const {
    T sum[R];
    ECHELON_UNROLL
    for (int r = 0; r < R; ++r) sum[r] = K::zero();
    Index group = -1;  // first column of the group
    while (block.ring.is_before(tile.chunk_end)) {
      const TileChunk c = block.ring.chunk();
      const S* const values = block.ring.values();
      if (c.from != group) {
        if (group >= 0) flush(group, sum);
        group = c.from;
      }
      block.ring.wait();
      if (c.full) {
        const Index mine = made_anew(lane()) % chunk_columns, rows = lane() - mine;
        const S* const a = values + mine * PanelShape::strip * K::parts + K::row_offset(rows);
        Stored m[chunk_columns];
        ECHELON_UNROLL
        for (int i = 0; i < chunk_columns; ++i)
          m[i] = K::fetch(a + K::row_offset(row_in_step(i, mine)));
        block.ring.next();
        add_full(m, v + c.strip * PanelShape::strip + rows, mine, sum);
      } else {
        pull_some(c, values, v, sum);
        block.ring.next();
      }
    }
    if (group >= 0) flush(group, sum);
  }
  // Adds up the sums of a group over the lanes of each column, adds them to this warp's slot and
  // resets them to zero.
  __device__ void flush(Index group, T (&sum)[R]) const {
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
      sum[r] = K::zero();
    }
  }
  __device__ void add_full(const Stored (&m)[chunk_columns], const T* u, Index mine,
                           T (&sum)[R]) const {
    constexpr int chains = R == 1 ? 4 : 1;
    T other[chains][R];
    ECHELON_UNROLL
    for (int c = 0; c < chains; ++c) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) other[c][r] = c == 0 ? sum[r] : K::zero();
    }
    ECHELON_UNROLL
    for (int i = 0; i < chunk_columns; ++i) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) {
        T& a = other[i % chains][r];
        a = multiply_add(m[i].value(), u[r * p.room.vector_size + row_in_step(i, mine)], a);
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
  __device__ void pull_some(const TileChunk& c, const S* values, const T* v, T (&sum)[R]) const {
    const int lanes = lanes_of(c.columns);
    const Index mine = lane() % lanes, column = c.from + mine, group = lane() / lanes * lanes;
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = K::shape_of(tile.w, tile.h, k);
      const Index until = min(c.from + c.columns, s.full + s.stair);
      const auto start = static_cast<Index>(s.column(c.from));
      if (column < until) {
        const Index top = s.top(column), last = min(s.rows, tile.w + tile.h - s.begin);
        const S* const a = values + (static_cast<Index>(s.column(column)) - start) * K::parts;
        pull_rows(lanes, group, mine, max(top, group), min(last, group + lanes), top, a,
                  v + s.begin, sum);
      }
      values += (static_cast<Index>(s.column(until)) - start) * K::parts;
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
        m[q] = i[q] == row ? K::read(a + K::row_offset(row - top)) : K::zero();
      }
      ECHELON_UNROLL
      for (int q = 0; q < at_once; ++q) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r)
          sum[r] = multiply_add(m[q], u[r * p.room.vector_size + i[q]], sum[r]);
      }
    }
  }
};

}  // namespace echelon
