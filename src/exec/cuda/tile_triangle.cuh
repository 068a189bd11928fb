// exec/cuda/tile_triangle.cuh -- panels of the persistent solve whose inverse could not be
// trusted: solved with, strip by strip, straight from memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tile_pull.cuh"

namespace echelon {

// Answers go through the flow even inside the panel.
template <class T, class S, int R>
struct TileTriangle : TilePull<T, S, R> {
  using Flow = TileFlow<T, S, R>;
  using Flow::parts, Flow::plan, Flow::value, Flow::pull, Flow::answers, Flow::lane, Flow::warp,
      Flow::zero, Flow::for_each_chunk, Flow::take, Flow::take_sources, Flow::right_side,
      Flow::hand_on, Flow::put_answer, Flow::take_slots;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord;

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
        rest = rest - take_slots(block.partial + lane() * R, TileShape::warps);
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
        rest = rest + take_slots(block.partial + lane() * R, TileShape::warps);
        const Strip s = strip_of(p.w, p.h, begin / PanelShape::strip);
        for (Index i = columns; i-- > 0;) {
          const Index inside = begin + i - s.begin;  // row of the strip
          const T mine = has && lane() <= i ? stored(tile, s.column(j), inside - s.top(j)) : zero();
          const T a = broadcast(rest, i) / broadcast(mine, i);
          if (lane() < i) rest = rest - mine * a;
          if (lane() == i) this->put_pulled(block, tile, j, r, a);
        }
      }
      join_threads(tile_workers);
    }
  }
};

}  // namespace echelon
