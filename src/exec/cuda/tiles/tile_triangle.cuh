// exec/cuda/tiles/tile_triangle.cuh -- device code of method tree for panels that are not inverted:
// substitution strip by strip, directly from global memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/tile_pull.cuh"

namespace echelon {

// Answers pass through the flow even inside the panel.
template <class T, class S, int R, bool MultiGpu = false>
struct TileTriangle : TilePull<T, S, R, MultiGpu> {
  using Flow = TileFlow<T, S, R, MultiGpu>;
  using Flow::parts, Flow::chunk_columns, Flow::plan, Flow::value, Flow::pushed, Flow::answers,
      Flow::relays, Flow::lane, Flow::warp, Flow::zero, Flow::consume, Flow::right_side,
      Flow::publish, Flow::store_answer, Flow::take_slots;
  using typename Flow::Tile, typename Flow::Turn;

  // The members of Block that this code needs.
  struct Place {
    Turn turn;
    T* partial;
    T* tree;
    T* right;
  };
  // Not inlined, because it is rare.
  ECHELON_NOINLINE void run_triangle(Place block, const Tile& tile) const {
    if (tile.pull)
      for (Index end = tile.end, begin = end; end > tile.begin; end = begin) {
        begin = tile.begin + (end - 1 - tile.begin) / chunk_columns * chunk_columns;
        pull_triangle(block, tile, begin, end);
      }
    else
      for (Index k = tile.begin; k < tile.end; ++k) push_triangle(block, tile, k);
    __syncthreads();
  }
  __device__ T stored(const Tile& tile, Offset column, Index i) const {
    return entry(value + plan.panel[tile.panel].value * parts, column, i, T{});
  }

  // One strip: all warps handle the columns before it, then the first warp solves with its
  // triangle.
  __device__ void push_triangle(Place& block, const Tile& tile, Index k) const {
    const Tile& p = tile;
    const Strip s = strip_of(p.w, p.h, k);
    const Index row = s.begin + lane();
    const bool has = lane() < s.rows && row < p.w + p.h;
    for (int r = 0; r < R; ++r) {
      T sum = zero();
      for (Index j = warp(); j < s.full; j += TileShape::warps) {
        const T a = consume(block.turn, pushed + p.first + j, r);
        if (has) sum = sum + stored(tile, s.column(j), lane()) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      __syncthreads();
      if (warp() == 0) {
        T rest = zero();
        T* const inside = has && !tile.single ? tree_row(block, tile, row, r) : nullptr;
        if (has && tile.single) rest = take_sources(block.turn, tile, row, r);
        if (has && tile.single && row < p.w) rest = rest + right_side(p.first + row, r);
        if (inside != nullptr) rest = *inside;
        rest = rest - take_slots(block.partial + lane() * R, TileShape::warps);
        for (Index j = 0; j < s.stair; ++j) {
          const Index top = s.top(s.full + j);
          const Offset column = s.column(s.full + j);
          const T a = broadcast(rest, j) / stored(tile, column, j - top);
          if (lane() > j && lane() < s.rows) rest = rest - stored(tile, column, lane() - top) * a;
          if (lane() != j) continue;
          publish(block.turn, pushed + p.first + s.full + j, r, a);
          if (!relays) store_answer(p.first + s.full + j, r, a);
        }
        if (has && row >= p.w && tile.single)
          this->hand_to(block.turn, this->to[tile.space + row], r, rest);
        if (has && row >= p.w && !tile.single) *inside = rest;
      }
      __syncthreads();
    }
  }
  __device__ T take_sources(const Turn& turn, const Tile& tile, Index entry, int r) const {
    T sum = zero();
    for (Index s = 0; s < 2 * tile.pairs; ++s)
      sum = sum + consume(turn, this->slot_of(tile, entry, s / 2) + s % 2, r);
    return tile.more < 0 ? sum : sum + this->take_more(turn, tile.more, entry, r);
  }
  // Address of a panel row in its subtree's vector.
  __device__ T* tree_row(const Place& block, const Tile& tile, Index row, int r) const {
    return block.tree + (row < tile.w ? tile.at + row : plan.local[tile.local + row - tile.w]) * R +
           r;
  }

  // One group of columns: all warps handle the rows below it, then the first warp solves with its
  // triangle.
  __device__ void pull_triangle(Place& block, const Tile& tile, Index begin, Index end) const {
    const Tile& p = tile;
    const Index columns = end - begin, j = begin + lane();
    const bool has = lane() < columns;
    const Index* const outside = plan.outside + tile.outside_start;
    for (int r = 0; r < R; ++r) {
      T sum = zero();
      for (Index i = end + warp(); i < p.w + p.h; i += TileShape::warps) {
        T a = zero();
        if (i >= p.w && !tile.single)
          a = *tree_row(block, tile, i, r);
        else
          a = -consume(block.turn, answers + (i < p.w ? p.first + i : outside[i - p.w]), r);
        const Strip s = strip_of(p.w, p.h, i / PanelShape::strip);
        if (has) sum = sum + stored(tile, s.column(j), i - s.begin - s.top(j)) * a;
      }
      block.partial[(warp() * 32 + lane()) * R] = sum;
      __syncthreads();
      if (warp() == 0) {
        T rest = zero();
        if (has)
          rest = tile.single ? this->right_pull(block.turn, p.first + j, r)
                             : block.right[(tile.at + j) * R + r];
        rest = rest + take_slots(block.partial + lane() * R, TileShape::warps);
        if constexpr (MultiGpu)
          if (has) rest = rest + this->told_sum(block.turn, tile, j, r);
        const Strip s = strip_of(p.w, p.h, begin / PanelShape::strip);
        for (Index i = columns; i-- > 0;) {
          const Index inside = begin + i - s.begin;  // row of the strip
          const T mine = has && lane() <= i ? stored(tile, s.column(j), inside - s.top(j)) : zero();
          const T a = broadcast(rest, i) / broadcast(mine, i);
          if (lane() < i) rest = rest - mine * a;
          if (lane() == i) this->answer_pull(block.turn, tile, block.tree, j, r, a);
        }
      }
      __syncthreads();
    }
  }
};

}  // namespace echelon
