// exec/nvshmem/coupled_diagonal.cuh -- device code for one diagonal block: multiplies with its
// inverse, or solves with the triangle if the inverse was not trusted, forwards and backwards.
// SPDX-License-Identifier: BSD-3-Clause
//
// All threads of a block call each function together.  A lane handles one row of a strip; the
// partial sums of warps are added in a fixed order.  Right-hand sides are processed R at a time.
#pragma once

#include "exec/nvshmem/coupled_view.cuh"

namespace echelon {

template <class T, class S, int R>
struct CoupledDiagonal : CoupledView<T, S> {
  using View = CoupledView<T, S>;
  using View::count, View::warp, View::lane, View::zero, View::parts, View::width, View::start,
      View::size, View::diagonal, View::diagonal_value, View::form, View::answer, View::x_of,
      View::sum_of;
  static constexpr int columns_at_once = R == 1 ? 4 : 2;  // per warp, when pulling

  struct SharedMemory {
    T part[2][coupled_warps][32][R];
    Index task;
  };

  // x = D^-1 sum.
  __device__ void push_diagonal(Index c, SharedMemory& shared) const {
    const Diagonal d = find(c);
    int turn = 0;  // double buffer in shared memory: one warp may still add up the other half
    for (Index v = 0; v < count; v += R)
      for (Index k = 0; k * PanelShape::strip < d.w; ++k, turn = 1 - turn) {
        const Strip s = strip_of(d.w, 0, k);
        multiply(d, s, d.inverse ? d.sum : d.x, d.inverse ? s.full + s.stair : s.full, v,
                 shared.part[turn]);
        __syncthreads();
        if (warp() == (d.inverse ? k % coupled_warps : 0)) {
          if (d.inverse)
            store_rows(d, s, v, shared.part[turn]);
          else
            solve_tile(d, s, v, shared.part[turn]);
        }
        if (!d.inverse) __syncthreads();
      }
  }

  // x = D^-T sum; without an inverse, overwrites the sum.
  __device__ void pull_diagonal(Index c) const {
    const Diagonal d = find(c);
    if (d.inverse) return pull_inverse(d);
    for (Index v = 0; v < count; v += R)
      for (Index k = strip_count(d.w, 0); k-- > 0;) {
        const Strip s = strip_of(d.w, 0, k);
        if (warp() == 0) solve_tile_transposed(d, s, v);
        __syncthreads();
        take_off(d, s, v);
        __syncthreads();
      }
  }

 private:
  struct Diagonal {
    Index c, w;
    bool inverse;
    const S* value;
    T* sum;
    T* x;
  };
  __device__ Diagonal find(Index c) const {
    return {c,
            width(c),
            form[c] == BlockForm::inverse_diagonal,
            diagonal_value + parts * diagonal[c],
            sum_of(c),
            x_of(c)};
  }
  // Row i of the strip, column j of the block; must be stored.
  __device__ static T stored(const Diagonal& d, const Strip& s, Index i, Index j) {
    return entry(d.value, s.column(j), i - s.top(j), T{});
  }
  __device__ void store_answer(const Diagonal& d, Index i, Index v, T a) const {
    d.x[Offset{i} * count + v] = a;
    answer[Offset{v} * size + start[d.c] + i] = a;
  }

  // --- Forwards.

  // Each warp's part of the strip's columns times b.
  __device__ void multiply(const Diagonal& d, const Strip& s, const T* b, Index columns, Index v,
                           T (*part)[32][R]) const {
    T sum[R];
    for (int r = 0; r < R; ++r) sum[r] = zero();
    for (Index j = warp(); j < columns; j += coupled_warps) {
      if (lane() < s.top(j) || lane() >= s.rows) continue;
      const T a = stored(d, s, lane(), j);
      for (int r = 0; r < R; ++r)
        if (v + r < count) sum[r] = multiply_add(a, b[Offset{j} * count + v + r], sum[r]);
    }
    for (int r = 0; r < R; ++r) part[warp()][lane()][r] = sum[r];
  }
  __device__ static T add_up(const T (*part)[32][R], int r) {
    T sum = zero();
    for (int k = 0; k < coupled_warps; ++k) sum = sum + part[k][lane()][r];
    return sum;
  }
  __device__ void store_rows(const Diagonal& d, const Strip& s, Index v,
                             const T (*part)[32][R]) const {
    const Index i = s.begin + lane();
    for (int r = 0; r < R; ++r)
      if (v + r < count && i < d.w) store_answer(d, i, v + r, add_up(part, r));
  }
  // Solves with the tile on the diagonal, column by column: x(j) = rest(j) / d(j).
  __device__ void solve_tile(const Diagonal& d, const Strip& s, Index v,
                             const T (*part)[32][R]) const {
    const Index i = s.begin + lane();
    for (int r = 0; r < R && v + r < count; ++r) {
      T rest = zero();
      if (i < d.w) rest = d.sum[Offset{i} * count + v + r] - add_up(part, r);
      for (Index j = 0; j < s.stair; ++j) {
        const T a = broadcast(rest, j) / stored(d, s, j, s.full + j);
        if (lane() > j && i < d.w) rest = rest - stored(d, s, lane(), s.full + j) * a;
        if (lane() == j) store_answer(d, i, v + r, a);
      }
    }
  }

  // --- Backwards.

  __device__ void pull_inverse(const Diagonal& d) const {
    constexpr int C = columns_at_once;
    for (Index first = C * warp(); first < d.w; first += C * coupled_warps)
      for (Index v = 0; v < count; v += R) {
        T sum[C][R];
        clear(sum);
        for (Index k = first / PanelShape::strip; k * PanelShape::strip < d.w; ++k) {
          const Strip s = strip_of(d.w, 0, k);
          const Index i = s.begin + lane();
          if (i >= d.w) continue;
          for (int q = 0; q < C; ++q) {
            if (first + q >= d.w || lane() < s.top(first + q)) continue;
            const T a = stored(d, s, lane(), first + q);
            for (int r = 0; r < R; ++r)
              if (v + r < count)
                sum[q][r] = multiply_add(a, d.sum[Offset{i} * count + v + r], sum[q][r]);
          }
        }
        for (int q = 0; q < C; ++q)
          for (int r = 0; r < R; ++r) {
            const T all = sum_over_lanes(sum[q][r]);
            if (lane() == 0 && first + q < d.w && v + r < count)
              store_answer(d, first + q, v + r, all);
          }
      }
  }
  // Solves with the transposed tile on the diagonal, from its last row; one column per lane.
  __device__ void solve_tile_transposed(const Diagonal& d, const Strip& s, Index v) const {
    const Index j = s.full + lane();
    const bool has = lane() < s.stair;
    for (int r = 0; r < R && v + r < count; ++r) {
      T rest = has ? d.sum[Offset{j} * count + v + r] : zero();
      for (Index i = s.stair; i-- > 0;) {
        const T mine = has && lane() <= i ? stored(d, s, i, j) : zero();
        const T a = broadcast(rest, i) / broadcast(mine, i);
        if (lane() < i) rest = rest - mine * a;
        if (lane() == i) store_answer(d, j, v + r, a);
      }
    }
  }
  // Subtracts the contribution of a strip's rows from the columns before it.
  __device__ void take_off(const Diagonal& d, const Strip& s, Index v) const {
    const Index i = s.begin + lane();
    for (Index j = warp(); j < s.full; j += coupled_warps)
      for (int r = 0; r < R && v + r < count; ++r) {
        T one = zero();
        if (i < d.w) one = stored(d, s, lane(), j) * d.x[Offset{i} * count + v + r];
        one = sum_over_lanes(one);
        T& sum = d.sum[Offset{j} * count + v + r];
        if (lane() == 0) sum = sum - one;
      }
  }

 protected:
  template <int C>
  __device__ static void clear(T (&sum)[C][R]) {
    for (int q = 0; q < C; ++q)
      for (int r = 0; r < R; ++r) sum[q][r] = zero();
  }
};

}  // namespace echelon
