// exec/cuda/frame/spmv_pass.cuh -- device code for r = b - P x, with one row per group of lanes,
// and for the right-hand side between the two halves of a symmetric sweep.
// SPDX-License-Identifier: BSD-3-Clause
//
// The lanes of a row add its entries in turn, and the sums of the lanes are added in a fixed order:
// bitwise reproducible, and the same for every number of right-hand sides.
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/frame/permute_scale_pass.cuh"

namespace echelon {

// T is a DeviceScalar, R its real type.  Lists has start[k], index, value, diagonal and form, as
// ListsView does; list k is row k.
template <class T, class R, class Lists>
struct ProductPass {
  Index n;
  Lists lower;  // with the diagonal
  Lists upper;
  bool below, above;
  R diagonal;  // as in ProductTerms

  // Computes vectors [first, first + V) of row i.  `lanes` lanes share the row; this is lane
  // `threadIdx.x % lanes`.  All lanes of the warp must call this; rows i >= n do not exist and are
  // skipped.
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
