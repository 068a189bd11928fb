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
//
// The chain from answer to answer is short: a warp holds a triangle in registers, so that a step is
// two products and a shuffle.  Values are loaded many at a time, from places that exist even where
// they are not wanted, before the answers that they are multiplied with are waited for.
template <class K>
struct TriangleTile {
  using T = typename K::T;
  using S = typename K::S;
  using Tile = typename K::Tile;
  using One = typename Mailbox<K>::One;
  static constexpr int R = K::R, parts = K::parts;
  static constexpr int batch = parts == 1 ? 8 : 4;    // values of a lane in registers: the caller
                                                      // has few to spare
  static constexpr int narrow = parts == 1 ? 16 : 8;  // columns at once when pulling
  static constexpr Index strip = PanelShape::strip;

  const TileParameters<K>& p;
  const Mailbox<K> mail;
  const TriangleVectors<T> block;
  const Tile& tile;
  const S* const values;  // of the panel

  // Push: each warp has strips of its own.  Pull: one group of columns after the other.
  __device__ void run() const {
    for (int r = 0; r < R; ++r) {
      if (tile.pull)
        for (Index end = tile.end, begin = end; end > tile.begin; end = begin) {
          begin = tile.begin + (end - 1 - tile.begin) / narrow * narrow;
          pull_columns(begin, end, r);
        }
      else
        for (Index k = tile.begin + warp(); k < tile.end; k += TileShape::warps)
          push_strip(strip_of(tile.w, tile.h, k), r);
    }
    __syncthreads();
  }

 private:
  // Row i of a strip in column j, or zero unless `wanted`; clamps the place.
  __device__ T stored(const Strip& s, Index i, Index j, bool wanted) const {
    const Index column = max(min(j, s.full + s.stair - 1), Index{0}), top = s.top(column);
    const T a = entry(values, s.column(column), max(min(i, s.rows - 1) - top, Index{0}), T{});
    return wanted ? a : K::zero();
  }
  // The number at a place of the mailbox, or zero.
  __device__ T wait_for(bool wanted, Offset place, int r) const {
    const auto poll = [&](int) { return One{wanted ? mail.poll(place, r) : K::zero()}; };
    One seen[1] = {poll(0)};
    mail.wait_for_all(seen, poll);
    return seen[0].a;
  }

  // --- Push: a strip.

  __device__ void push_strip(const Strip& s, int r) const {
    const Index row = s.begin + lane();
    const bool has = lane() < s.rows && row < tile.w + tile.h;
    const bool solves = lane() < s.stair;
    const T diagonal = stored(s, lane(), s.full + lane(), solves);
    const T inverse = solves ? one_of(T{}) / diagonal : K::zero();
    T rest = K::zero();
    if (has && tile.single) rest = take_sources(row, r);
    if (has && tile.single && row < tile.w) rest = rest + p.sides.right_side(tile.first + row, r);
    if (has && !tile.single) rest = *tree_row(row, r);
    for (Index from = 0; from < s.full; from += 32) rest = rest - sum_columns(s, has, from, r);
    T answer = K::zero();
    for (Index from = 0; from < s.stair; from += batch)
      push_stair(s, has, from, inverse, rest, answer);
    if (solves) {
      mail.publish(p.mailbox.place.pushed + tile.first + row, r, answer);
      if (!p.sides.relays) p.sides.store(tile.first + row, r, answer);
    }
    if (!has || row < tile.w) return;
    if (tile.single)
      mail.publish_to(p.to[tile.space + row], r, rest);
    else
      *tree_row(row, r) = rest;
  }
  // The products of 32 columns before the triangle, whose answers the lanes wait for.
  __device__ T sum_columns(const Strip& s, bool has, Index from, int r) const {
    const Index mine = from + lane();
    T a = K::zero(), sum = K::zero();
    for (Index first = from; first < min(from + 32, s.full); first += batch) {
      T m[batch];
      ECHELON_UNROLL
      for (int e = 0; e < batch; ++e)
        m[e] = stored(s, lane(), first + e, has && first + e < s.full);
      if (first == from) a = wait_for(mine < s.full, p.mailbox.place.pushed + tile.first + mine, r);
      ECHELON_UNROLL
      for (int e = 0; e < batch; ++e)
        sum = multiply_add(m[e], broadcast(a, static_cast<int>(first - from) + e), sum);
    }
    return sum;
  }
  // Solves with columns [from, from + batch) of the triangle: the answer of this lane's column, and
  // in `rest` what remains of its row.
  __device__ void push_stair(const Strip& s, bool has, Index from, T inverse, T& rest,
                             T& answer) const {
    T m[batch];
    ECHELON_UNROLL
    for (int e = 0; e < batch; ++e) {
      const Index j = from + e;
      m[e] = stored(s, lane(), s.full + j, has && j < s.stair && lane() > j);
    }
    ECHELON_UNROLL
    for (int e = 0; e < batch; ++e) {
      const T a = broadcast(rest * inverse, static_cast<int>(from) + e);
      if (lane() == from + e) answer = a;
      rest = rest - m[e] * a;
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

  // --- Pull: a group of columns.

  // All warps handle the rows below the panel's triangle, then the first warp those inside it.
  __device__ void pull_columns(Index begin, Index end, int r) const {
    const Index strips = strip_count(tile.w, tile.h), inside = (tile.w + strip - 1) / strip;
    block.partial[(warp() * 32 + lane()) * R] =
        sum_strips(strips - 1 - warp(), inside, TileShape::warps, begin, end, r);
    __syncthreads();
    if (warp() == 0) {
      const Index j = begin + lane();
      const bool has = lane() < end - begin;
      T rest = K::zero();
      if (has)
        rest = tile.single ? right_pull<K>(p, mail, tile.first + j, r)
                           : block.right[(tile.at + j) * R + r];
      if constexpr (K::multi_gpu)
        if (has) rest = rest + mail.consume_children(tile, j, r);
      rest = rest + take_slots<K>(block.partial + lane() * R, TileShape::warps);
      const T answer = pull_stair(begin, end, rest, r);
      if (has) answer_pull<K>(p, mail, tile, block.tree, j, r, answer);
    }
    __syncthreads();
  }
  // The products of the rows from `end` on in strips last, last - step, ... down to `first`.  A
  // lane has a column and as many rows; it waits for one row's answer.
  __device__ T sum_strips(Index last, Index first, Index step, Index begin, Index end,
                          int r) const {
    const Index column = begin + lane() % narrow;
    const int low = lane() / narrow * narrow;
    T sum = K::zero();
    for (Index k = last; k >= first; k -= step) {
      const Strip s = strip_of(tile.w, tile.h, k);
      const Index i = s.begin + lane();
      T a = K::zero();
      for (int from = 0; from < narrow; from += batch) {
        T m[batch];
        ECHELON_UNROLL
        for (int e = 0; e < batch; ++e) {
          const Index row = low + from + e;
          m[e] = stored(s, row, column, column < end && s.begin + row >= end && row < s.rows);
        }
        if (from == 0) a = below(i, i >= end && i < tile.w + tile.h, r);
        ECHELON_UNROLL
        for (int e = 0; e < batch; ++e) sum = multiply_add(m[e], broadcast(a, low + from + e), sum);
      }
    }
    for (int other = narrow; other < 32; other *= 2) sum = sum + broadcast(sum, lane() ^ other);
    return sum;
  }
  // The negated answer of a row below, or zero.
  __device__ T below(Index i, bool has, int r) const {
    if (i >= tile.w && !tile.single) return has ? *tree_row(i, r) : K::zero();
    const Index from = !has         ? 0
                       : i < tile.w ? tile.first + i
                                    : p.plan.outside[tile.outside_start + i - tile.w];
    return -wait_for(has, p.mailbox.place.answers + from, r);
  }
  // Solves with the triangle of columns [begin, end), after the rows between them and the panel's
  // last one.
  __device__ T pull_stair(Index begin, Index end, T rest, int r) const {
    const Index j = begin + lane(), inside = (tile.w + strip - 1) / strip;
    const bool has = lane() < end - begin;
    const Strip s = strip_of(tile.w, tile.h, begin / strip);
    const T diagonal = stored(s, j - s.begin, j, has);
    const T inverse = has ? one_of(T{}) / diagonal : K::zero();
    rest = rest + sum_strips(inside - 1, end / strip, 1, begin, end, r);
    for (int top = narrow - batch; top >= 0; top -= batch) {
      T m[batch];
      ECHELON_UNROLL
      for (int e = 0; e < batch; ++e) {
        const Index i = begin + top + e;
        m[e] = stored(s, i - s.begin, j, i < end && j < i);
      }
      ECHELON_UNROLL
      for (int e = batch - 1; e >= 0; --e) rest = rest - m[e] * broadcast(rest * inverse, top + e);
    }
    return rest * inverse;
  }
};

// Not inlined, because it is rare.
template <class K>
ECHELON_NOINLINE void run_triangle(const TileParameters<K>& p, typename Mailbox<K>::Turn turn,
                                   TriangleVectors<typename K::T> block,
                                   const typename K::Tile& tile) {
  TriangleTile<K>{
      p, {p.mailbox, turn}, block, tile, p.source.value + p.plan.panel[tile.panel].value * K::parts}
      .run();
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
