// exec/cuda/tiles/tile_triangle.cuh -- device code of method tree for panels that are not inverted:
// substitution strip by strip, directly from global memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/tile_pull.cuh"

namespace echelon {

// The vectors of a block that a triangle works in; see TileBlock.
template <class T>
struct TriangleVectors {
  T* partial;
  T* tree;
  T* right;
};

// A panel that is not inverted.  Answers pass through the mailbox even inside the panel.
template <class K>
struct TriangleTile {
  using T = typename K::T;
  using Tile = typename K::Tile;
  static constexpr int R = K::R, parts = K::parts;

  const TileParameters<K>& p;
  const Mailbox<K> mail;
  const TriangleVectors<T> block;
  const Tile& tile;

  __device__ void run() const {
    if (tile.pull)
      for (Index end = tile.end, begin = end; end > tile.begin; end = begin) {
        begin = tile.begin + (end - 1 - tile.begin) / K::chunk_columns * K::chunk_columns;
        pull_columns(begin, end);
      }
    else
      for (Index k = tile.begin; k < tile.end; ++k) push_strip(k);
    __syncthreads();
  }

 private:
  __device__ T stored(Offset column, Index i) const {
    return entry(p.source.value + p.plan.panel[tile.panel].value * parts, column, i, T{});
  }

  // One strip: all warps handle the columns before it, then the first warp solves with its
  // triangle.
  __device__ void push_strip(Index k) const {
    const Strip s = strip_of(tile.w, tile.h, k);
    const Index row = s.begin + lane();
    const bool has = lane() < s.rows && row < tile.w + tile.h;
    for (int r = 0; r < R; ++r) {
      T sum = K::zero();
      for (Index j = warp(); j < s.full; j += TileShape::warps) {
        const T a = mail.consume(p.mailbox.place.pushed + tile.first + j, r);
        if (has) sum = sum + stored(s.column(j), lane()) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      __syncthreads();
      if (warp() == 0) {
        T rest = K::zero();
        T* const inside = has && !tile.single ? tree_row(row, r) : nullptr;
        if (has && tile.single) rest = take_sources(row, r);
        if (has && tile.single && row < tile.w)
          rest = rest + p.sides.right_side(tile.first + row, r);
        if (inside != nullptr) rest = *inside;
        rest = rest - take_slots<K>(block.partial + lane() * R, TileShape::warps);
        for (Index j = 0; j < s.stair; ++j) {
          const Index top = s.top(s.full + j);
          const Offset column = s.column(s.full + j);
          const T a = broadcast(rest, j) / stored(column, j - top);
          if (lane() > j && lane() < s.rows) rest = rest - stored(column, lane() - top) * a;
          if (lane() != j) continue;
          mail.publish(p.mailbox.place.pushed + tile.first + s.full + j, r, a);
          if (!p.sides.relays) p.sides.store(tile.first + s.full + j, r, a);
        }
        if (has && row >= tile.w && tile.single) mail.publish_to(p.to[tile.space + row], r, rest);
        if (has && row >= tile.w && !tile.single) *inside = rest;
      }
      __syncthreads();
    }
  }
  __device__ T take_sources(Index entry, int r) const {
    T sum = K::zero();
    for (Index s = 0; s < 2 * tile.pairs; ++s)
      sum = sum + mail.consume(mail.slot_of(tile, entry, s / 2) + s % 2, r);
    return tile.more < 0 ? sum : sum + mail.consume_more(tile.more, entry, r);
  }
  // Address of a panel row in its subtree's vector.
  __device__ T* tree_row(Index row, int r) const {
    return block.tree +
           (row < tile.w ? tile.at + row : p.plan.local[tile.local + row - tile.w]) * R + r;
  }

  // One group of columns: all warps handle the rows below it, then the first warp solves with its
  // triangle.
  __device__ void pull_columns(Index begin, Index end) const {
    const Index columns = end - begin, j = begin + lane();
    const bool has = lane() < columns;
    const Index* const outside = p.plan.outside + tile.outside_start;
    for (int r = 0; r < R; ++r) {
      T sum = K::zero();
      for (Index i = end + warp(); i < tile.w + tile.h; i += TileShape::warps) {
        T a = K::zero();
        if (i >= tile.w && !tile.single)
          a = *tree_row(i, r);
        else
          a = -mail.consume(
              p.mailbox.place.answers + (i < tile.w ? tile.first + i : outside[i - tile.w]), r);
        const Strip s = strip_of(tile.w, tile.h, i / PanelShape::strip);
        if (has) sum = sum + stored(s.column(j), i - s.begin - s.top(j)) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      __syncthreads();
      if (warp() == 0) {
        T rest = K::zero();
        if (has)
          rest = tile.single ? right_pull<K>(p, mail, tile.first + j, r)
                             : block.right[(tile.at + j) * R + r];
        rest = rest + take_slots<K>(block.partial + lane() * R, TileShape::warps);
        if constexpr (K::multi_gpu)
          if (has) rest = rest + mail.consume_children(tile, j, r);
        const Strip s = strip_of(tile.w, tile.h, begin / PanelShape::strip);
        for (Index i = columns; i-- > 0;) {
          const Index inside = begin + i - s.begin;  // row of the strip
          const T mine = has && lane() <= i ? stored(s.column(j), inside - s.top(j)) : K::zero();
          const T a = broadcast(rest, i) / broadcast(mine, i);
          if (lane() < i) rest = rest - mine * a;
          if (lane() == i) answer_pull<K>(p, mail, tile, block.tree, j, r, a);
        }
      }
      __syncthreads();
    }
  }
};

// Not inlined, because it is rare.
template <class K>
ECHELON_NOINLINE void run_triangle(const TileParameters<K>& p, typename Mailbox<K>::Turn turn,
                                   TriangleVectors<typename K::T> block,
                                   const typename K::Tile& tile) {
  TriangleTile<K>{p, {p.mailbox, turn}, block, tile}.run();
}
// The values of such a panel stream into the ring buffer too, but unused.
template <class K>
__device__ void skip_to_triangle(const TileParameters<K>& p, TileBlock<K>& block,
                                 const typename K::Tile& tile, const ItemWord& next) {
  block.ring.skip_to(tile.chunk_end);
  __syncthreads();
  next.store();
  __syncthreads();
  if (tile.last && tile.part + 1 == tile.parts)
    run_triangle<K>(p, block.mail.turn(), {block.partial, block.tree, block.right}, tile);
}

}  // namespace echelon
