// exec/cuda/panels/device_invert.cuh -- device code that turns panels [D; P] into D^-1 and P D^-1:
// the stages of a thread block, without the schedule.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Panels are cut into tiles of 32 by 32, as their strips are.  These stages compute
// X = D^-1:
//   invert_tile      X_ii = D_ii^-1
//   invert_columns   X_ij = -X_ii sum(j <= k < i) D_ik X_kj, top to bottom
//   find_growth      the largest row sum of |X| |D| per strip
//   decide_form      as numeric/pack_blocks.cpp: no inverse where the growth is too large
//   finish_strips    P X, or the original values
//   keep_strips      the original values, where P X overflows
//   lower_strips     the result in low precision, where requested
// Each stage needs the stage before it to be complete.  The strip that row w cuts holds rows of D
// and of P: its tile on the diagonal is padded with -1.  Since the inverse of [D 0; P -I] is
// [D^-1 0; P D^-1 -I], the first two stages leave P D^-1 in its last rows.
//
// Products.  The threads form four groups of 64, and each group computes one tile of the result.  A
// thread computes 16 entries of it, 8 apart.  The factors pass through shared memory in slices of 8
// columns of the left factor and 8 rows of the right one.  The loads of the next slices overlap the
// arithmetic.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "exec/cuda/panels/device_pass.cuh"
#include "exec/cuda/panels/invert_items.hpp"

namespace echelon {

// c + a b, ordered so that the compiler can use fused multiply-adds only.
template <class R>
__device__ R add_product(R c, R a, R b) {
  return c + a * b;
}
template <class R>
__device__ DeviceComplex<R> add_product(DeviceComplex<R> c, DeviceComplex<R> a,
                                        DeviceComplex<R> b) {
  return {c.re + a.re * b.re - a.im * b.im, c.im + a.re * b.im + a.im * b.re};
}
template <class R>
__device__ double magnitude(R a) {
  return static_cast<double>(fabs(a));
}
template <class R>
__device__ double magnitude(DeviceComplex<R> a) {
  return static_cast<double>(hypot(a.re, a.im));
}
template <class R>
__device__ R real_number(double a, R) {
  return static_cast<R>(a);
}
template <class R>
__device__ DeviceComplex<R> real_number(double a, DeviceComplex<R>) {
  return {static_cast<R>(a), R(0)};
}
// Stores an entry where entry() reads it.
template <class R, class S>
__device__ void put_entry(S* panel, Offset column, Index i, R a) {
  panel[column + i] = static_cast<S>(a);
}
template <class R, class S>
__device__ void put_entry(S* panel, Offset column, Index i, DeviceComplex<R> a) {
  S* const at = panel + 2 * column + i / 8 * 16 + i % 8;
  at[0] = static_cast<S>(a.re);
  at[8] = static_cast<S>(a.im);
}
// The larger one; NaN if either is NaN.
__device__ inline double larger(double a, double b) { return a >= b || a != a ? a : b; }

// Calls body(0) .. body(count-1) fully unrolled, so that arrays indexed by the argument can stay in
// registers.
template <int count, class Body>
__device__ void unrolled(const Body& body) {
  [&]<int... k>(std::integer_sequence<int, k...>) { (body(k), ...); }
  (std::make_integer_sequence<int, count>());
}

constexpr Index none_refused = std::numeric_limits<Index>::max();

// T is a DeviceScalar, R its real type.
template <class T, class R>
struct DeviceInverter {
  const DevicePanel* panel;
  const Index* tile_start;
  const R* raw;     // original panels
  R* value;         // resulting panels
  double* row_sum;  // size n, by position: row sums of |D|
  double* part;     // per tile on the diagonal: growth of its rows
  double* growth;   // per panel
  BlockForm* form;  // per panel
  Index* refused;   // per panel: first column that low precision cannot hold
  BlockForm wanted;
  double most;  // largest growth allowed

  static constexpr Index side = PanelShape::strip;
  static constexpr Index depth = 8;  // of a slice
  static constexpr int slices = invert_groups + 1;

  struct SumSpace {
    double sum[block_warps][side];
  };
  struct TileSpace {
    T d[side][side + 1], x[side][side + 1];
    SumSpace sums;
  };
  struct Slice {
    T entry[depth][side + 1];
  };
  struct SliceSpace {
    Slice slice[2][slices];
  };

  // --- The stages.

  __device__ void invert_tile(const InvertItem& item, TileSpace& space) const {
    const Panel p = panel_of(item.panel);
    const Strip s = strip_of(p.w, p.h, item.begin);
    const double sum = sum_row(p.raw, s, space.sums, [](Index) { return 1.0; });
    if (warp() == 0 && s.begin + lane() < p.w) row_sum[p.first + s.begin + lane()] = sum;
    for (Index j = warp(); j < side; j += block_warps)
      space.d[lane()][j] = diagonal_entry(p.raw, s, lane(), j);
    __syncthreads();
    if (warp() == 0 && lane() < s.stair) invert_column(s, lane(), space);
    __syncthreads();
    for (Index j = warp(); j < s.stair; j += block_warps) {
      const Index i = lane(), top = s.top(s.full + j);
      if (i >= top && i < s.rows)
        put_entry(p.value, s.column(s.full + j), i - top,
                  is_kept(p, s.begin + i) ? space.d[i][j] : space.x[i][j]);
    }
  }

  __device__ void invert_columns(const InvertItem& item, SliceSpace& space) const {
    const Panel p = panel_of(item.panel);
    const Index j = item.begin + group();
    for (Index i = item.begin + 1; i < tiles_of(p.w); ++i) {
      const Strip s = strip_of(p.w, p.h, i);
      T sum[4][4] = {}, result[4][4] = {};
      accumulate({p, i, 1, item.begin, invert_groups, i}, sum, space);
      multiply_diagonal(p, s, sum, result, space);
      if (j < i)
        for_each_result(result, [&](Index r, Index c, const T& v) {
          const Offset column = s.start + Offset{side * j + c} * s.rows;
          if (r < s.rows)
            put_entry(p.value, column, r, is_kept(p, s.begin + r) ? at(p.raw, column, r) : -v);
        });
      __syncthreads();  // the next strip reads the values stored here
    }
  }

  __device__ void find_growth(Index tile, const InvertItem& item, SumSpace& space) const {
    const Panel p = panel_of(item.panel);
    const Strip s = strip_of(p.w, p.h, item.begin);
    const double* const weight = row_sum + p.first;
    const bool of_d = s.begin + lane() < p.w;  // else the sum is 0, or NaN where P X overflows
    double sum = sum_row(p.value, s, space, [&](Index j) { return of_d ? weight[j] : 0.0; });
    if (warp() > 0) return;
    for (int step = 16; step > 0; step /= 2) sum = larger(sum, __shfl_xor_sync(~0u, sum, step));
    if (lane() == 0) part[tile] = sum;
  }

  // Called by one thread per panel.
  __device__ void decide_form(Index k) const {
    double most_of_all = 0;
    if (wanted != BlockForm::triangle)
      for (Index t = tile_start[k]; t < tile_start[k + 1]; ++t)
        most_of_all = larger(most_of_all, part[t]);
    growth[k] = most_of_all;
    form[k] = most_of_all <= most && isfinite(most_of_all) ? wanted : BlockForm::triangle;
    refused[k] = none_refused;
  }

  __device__ void finish_strips(const InvertItem& item, SliceSpace& space) const {
    const Panel p = panel_of(item.panel);
    const Index columns = tiles_in_a_row(p.w), strips = strips_at_once(p.w);
    const Index count = strip_count(p.w, p.h), end = min(item.begin + strips, count);
    if (form[item.panel] != BlockForm::inverse)
      return copy_strips(p, form[item.panel], item.begin, end);
    if (end <= tiles_of(p.w)) return;
    const Index strip = item.begin + group() / columns;
    const Strip s = strip_of(p.w, p.h, min(strip, count - 1));
    for (Index j = 0; j < tiles_of(p.w); j += columns) {
      T sum[4][4] = {};
      accumulate({p, item.begin, strips, j, columns, tiles_of(p.w)}, sum, space);
      if (strip >= end || s.begin < p.w) continue;
      const Index first = side * (j + group() % columns);
      for_each_result(sum, [&](Index r, Index c, const T& v) {
        if (r >= s.rows || first + c >= p.w) return;
        put_entry(p.value, s.start + Offset{first + c} * s.rows, r, v);
        if (!is_finite(v)) growth[item.panel] = std::numeric_limits<double>::infinity();
      });
    }
  }

  __device__ void keep_strips(const InvertItem& item) const {
    if (form[item.panel] != BlockForm::inverse || isfinite(growth[item.panel])) return;
    const Panel p = panel_of(item.panel);
    const Index end = min(item.begin + strips_at_once(p.w), strip_count(p.w, p.h));
    copy_strips(p, BlockForm::triangle, item.begin, end);
  }
  // Called by one thread per panel, after keep_strips.
  __device__ void keep_form(Index k) const {
    if (!isfinite(growth[k])) form[k] = BlockForm::triangle;
  }

  template <class S>
  __device__ void lower_strips(const InvertItem& item, S* low) const {
    const Panel p = panel_of(item.panel);
    constexpr double largest = std::numeric_limits<S>::max(), least = std::numeric_limits<S>::min();
    const Index end = min(item.begin + strips_at_once(p.w), strip_count(p.w, p.h));
    for (Index k = item.begin; k < end; ++k) {
      const Strip s = strip_of(p.w, p.h, k);
      for (Index j = warp(); j < s.full + s.stair; j += block_warps) {
        const Index top = s.top(j), i = s.begin + lane();
        if (lane() < top || lane() >= s.rows) continue;
        const T v = at(p.value, s.column(j), lane() - top);
        put_entry(low + parts * p.start, s.column(j), lane() - top, v);
        if (magnitude(v) > largest || (i == j && magnitude(v) < least))
          atomicMin(refused + item.panel, j);
      }
    }
  }

 private:
  struct Panel {
    Index w, h, first;
    Offset start;
    const R* raw;
    R* value;
  };
  static constexpr Offset parts = std::is_floating_point_v<T> ? 1 : 2;

  __device__ Panel panel_of(Index k) const {
    const DevicePanel& d = panel[k];
    return {d.w, d.h, d.first, d.value, raw + parts * d.value, value + parts * d.value};
  }
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static T at(const R* values, Offset column, Index i) {
    return entry(values, column, i, T{});
  }
  // Whether row i belongs to P and P keeps its values.
  __device__ bool is_kept(const Panel& p, Index i) const {
    return i >= p.w && wanted != BlockForm::inverse;
  }

  // --- Tiles on the diagonal.

  // Entry (i, j) of the strip's tile on the diagonal, padded with -1.
  __device__ static T diagonal_entry(const R* values, const Strip& s, Index i, Index j) {
    if (j >= s.stair) return real_number(i == j ? -1 : 0, T{});
    const Index top = s.top(s.full + j);
    return i < top || i >= s.rows ? T{} : at(values, s.column(s.full + j), i - top);
  }

  // Solves D y = e(j), top to bottom, for column j of the tile.
  __device__ static void invert_column(const Strip& s, Index j, TileSpace& space) {
    for (Index i = 0; i < s.rows; ++i) {
      T sum{};
      for (Index k = 0; k < min(i, s.stair); ++k)
        sum = add_product(sum, space.d[i][k], space.x[k][j]);
      const T rest = real_number(i == j ? 1 : 0, T{}) - sum;
      space.x[i][j] = i < j ? T{} : rest / space.d[i][i];
    }
  }

  // The sum of |a(i, j)| weight(j) over the columns of a strip, where i is the lane's row.
  template <class Weight>
  __device__ static double sum_row(const R* values, const Strip& s, SumSpace& space,
                                   const Weight& weight) {
    double sum = 0;
    for (Index j = warp(); j < s.full + s.stair; j += block_warps) {
      const Index top = s.top(j);
      if (lane() >= top && lane() < s.rows)
        sum += magnitude(at(values, s.column(j), lane() - top)) * weight(j);
    }
    space.sum[warp()][lane()] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < block_warps; ++k) sum += space.sum[k][lane()];
    return sum;
  }

  // --- Products.

  // `strips` strips of raw values times `columns` columns of tiles of X, summed up to row `end` of
  // tiles.
  struct Product {
    Panel p;
    Index strip, strips;
    Index column, columns;
    Index end;
  };

  __device__ static int group() { return static_cast<int>(threadIdx.x) / 64; }
  // The thread's first entry in the group's tile; its other entries lie 8 apart.
  __device__ static int row() { return static_cast<int>(threadIdx.x) % 64 / 8; }
  __device__ static int column() { return static_cast<int>(threadIdx.x) % 8; }

  template <class Body>
  __device__ static void for_each_result(const T (&result)[4][4], const Body& body) {
    unrolled<4>([&](int a) {
      unrolled<4>([&](int b) { body(row() + 8 * a, column() + 8 * b, result[a][b]); });
    });
  }

  __device__ void accumulate(const Product& product, T (&sum)[4][4], SliceSpace& space) const {
    const Index begin = side / depth * product.column;
    const Index end = min(side / depth * product.end, (product.p.w + depth - 1) / depth);
    const Index left = group() / product.columns, right = group() % product.columns;
    T next[slices];
    Strip x = strip_of(product.p.w, product.p.h, product.column);
    fetch_slices(product, begin, x, next);
    for (Index n = begin; n < end; ++n) {
      Slice* const slice = space.slice[n % 2];
      unrolled<slices>([&](int t) {
        if (t < product.strips)
          slice[t].entry[warp()][lane()] = next[t];
        else
          slice[t].entry[threadIdx.x % depth][threadIdx.x / depth] = next[t];
      });
      __syncthreads();
      if ((n + 1) * depth % side == 0)
        x = strip_of(product.p.w, product.p.h, (n + 1) * depth / side);
      if (n + 1 < end) fetch_slices(product, n + 1, x, next);
      if (product.column + right <= n * depth / side)
        multiply_slices(slice[left], slice[product.strips + right], sum);
    }
    __syncthreads();
  }

  // Loads this thread's entries of slices n: first those of the strips, then those of the columns
  // of X, whose rows lie in strip x.
  __device__ void fetch_slices(const Product& product, Index n, const Strip& x,
                               T (&next)[slices]) const {
    const Panel& p = product.p;
    const Index i = n * depth % side + static_cast<Index>(threadIdx.x) % depth;
    unrolled<slices>([&](int t) {
      next[t] = T{};
      if (t < product.strips) {
        const Index k = product.strip + t, j = n * depth + warp();
        if (k >= strip_count(p.w, p.h)) return;
        const Strip s = strip_of(p.w, p.h, k);
        if (j < s.full && lane() < s.rows)
          next[t] = at(p.raw, s.start + Offset{j} * s.rows, lane());
      } else if (t < product.strips + product.columns) {
        const Index tile = product.column + t - product.strips;
        const Index j = side * tile + static_cast<Index>(threadIdx.x) / depth;
        if (j >= x.full + x.stair || x.begin + i >= p.w) return;
        if (i >= x.top(j)) next[t] = at(p.value, x.column(j), i - x.top(j));
      }
    });
  }

  // The strip's tile on the diagonal of X times the sums of the groups.
  __device__ void multiply_diagonal(const Panel& p, const Strip& s, const T (&sum)[4][4],
                                    T (&result)[4][4], SliceSpace& space) const {
    unrolled<4>([&](int q) {  // columns 8 q to 8 q + 7 of the tile; sum[q] has rows 8 q to 8 q + 7
      Slice* const slice = space.slice[q % 2];
      slice[0].entry[warp()][lane()] = diagonal_entry(p.value, s, lane(), depth * q + warp());
      unrolled<4>([&](int b) { slice[1 + group()].entry[row()][column() + 8 * b] = sum[q][b]; });
      __syncthreads();
      multiply_slices(slice[0], slice[1 + group()], result);
    });
    __syncthreads();
  }

  __device__ static void multiply_slices(const Slice& left, const Slice& right, T (&sum)[4][4]) {
    for (Index k = 0; k < depth; ++k) {
      T a[4], b[4];
      unrolled<4>([&](int i) {
        a[i] = left.entry[k][row() + 8 * i];
        b[i] = right.entry[k][column() + 8 * i];
      });
      unrolled<4>([&](int i) {
        unrolled<4>([&](int j) { sum[i][j] = add_product(sum[i][j], a[i], b[j]); });
      });
    }
  }

  // Copies the original strips: all strips for a triangle, else those of P.
  __device__ static void copy_strips(const Panel& p, BlockForm is, Index begin, Index end) {
    if (is != BlockForm::triangle) begin = max(begin, tiles_of(p.w));
    if (begin >= end) return;
    const Strip last = strip_of(p.w, p.h, end - 1);
    const Offset from = parts * strip_of(p.w, p.h, begin).start;
    const Offset to = parts * (last.start + last.size());
    for (Offset q = from + threadIdx.x; q < to; q += block_threads) p.value[q] = p.raw[q];
  }
};

}  // namespace echelon
