// exec/cuda/product_pass.cuh -- what some lanes do to a row of a product, r = b - P x, and a thread
// to an entry between the two halves of a symmetric sweep.
// SPDX-License-Identifier: BSD-3-Clause
//
// The entries of a row are dealt out to its lanes in turn and the lanes' sums added up in one
// order: the same bits each time and for every number of right-hand sides.
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/frame_pass.cuh"

namespace echelon {

// T is a DeviceScalar, R its real type.  Lists have start[k], index, value, diagonal and form, as
// ListsView has them; row k is the k-th.
template <class T, class R, class Lists>
struct ProductPass {
  Index n;
  Lists lower;  // with the diagonal
  Lists upper;
  bool below, above;
  R diagonal;  // as in ProductTerms

  // Vectors [first, first + V) of row i; lane `threadIdx.x % lanes` of those that share it.  The
  // whole warp comes here; rows from n on are none.
  template <int V>
  __device__ void subtract(Index i, int lanes, Index first, Index count,
                           const FrameVectors<const T>& b, const FrameVectors<const T>& x,
                           const FrameVectors<T>& r) const {
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    T sum[V];
    for (int v = 0; v < V; ++v) sum[v] = zero_of(T{});
    if (i < n) {
      if (below) add_row(lower, i, lane, lanes, first, count, x, sum);
      if (above) add_row(upper, i, lane, lanes, first, count, x, sum);
    }
    for (int v = 0; v < V; ++v) sum[v] = sum_over_lanes(sum[v], lanes);
    if (i >= n || lane > 0) return;
    for (int v = 0; v < V; ++v) {
      if (first + v >= count) return;
      T s = b(i, first + v) - sum[v];
      if (diagonal != R(0)) s = s - scaled(times_diagonal(i, x(i, first + v)), diagonal);
      r(i, first + v) = s;
    }
  }

  // r = b - used + diagonal D x at entry i of vector k.
  __device__ void follow(Index i, Index k, const FrameVectors<const T>& b,
                         const FrameVectors<const T>& used, const FrameVectors<const T>& x,
                         const FrameVectors<T>& r) const {
    r(i, k) = b(i, k) - used(i, k) + scaled(times_diagonal(i, x(i, k)), diagonal);
  }

 private:
  template <int V>
  __device__ void add_row(const Lists& rows, Index i, int lane, int lanes, Index first, Index count,
                          const FrameVectors<const T>& x, T (&sum)[V]) const {
    const Offset end = rows.start[i + 1];
    for (Offset p = rows.start[i] + lane; p < end; p += lanes) {
      const T a = rows.value[p];
      const Index j = rows.index[p];
      for (int v = 0; v < V; ++v)
        if (first + v < count) sum[v] = multiply_add(a, x(j, first + v), sum[v]);
    }
  }

  __device__ T times_diagonal(Index i, T a) const {
    return lower.form == DiagonalForm::reciprocal ? a / lower.diagonal[i] : a * lower.diagonal[i];
  }
};

}  // namespace echelon
