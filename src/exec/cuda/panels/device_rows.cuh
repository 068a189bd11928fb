// exec/cuda/panels/device_rows.cuh -- device code for z += M z with one matrix M per level
// (LevelMatrices), one row per group of lanes.
// SPDX-License-Identifier: BSD-3-Clause
//
// The lanes of a row add its entries in turn, and the sums of the lanes are added in a fixed order:
// bitwise reproducible, and the same for every number of right-hand sides.
#pragma once

#include <algorithm>

#include "exec/cuda/rows/list_program.hpp"
#include "exec/cuda/runtime/device_vectors.cuh"

namespace echelon {

// T is a DeviceScalar, S the scalar type of the stored values.
template <class T, class S>
struct DeviceRows {
  const Index* row;
  const Offset* start;
  const Index* index;
  const S* value;
  T* z;           // entry i of vector v is z[i * vectors + v]
  Index vectors;  // number of vectors in z

  // At position k: stores b in the first half of z and zeros in the second half.
  __device__ void fetch(const DeviceVectors<T>& from, Index k) const {
    for (Index v = 0; v < vectors; ++v) {
      z[Offset{k} * vectors + v] = from.right_side(k, v);
      z[(Offset{from.n} + k) * vectors + v] = zero_of(from.alpha);
    }
  }

  // Computes vectors [first, first + V) of row r.  `lanes` lanes share the row; this is lane
  // `threadIdx.x % lanes`.  All lanes of the warp must call this; rows r >= end are skipped.
  template <int V>
  __device__ void add(Index r, Index end, int lanes, Index first) const {
    const int lane = static_cast<int>(threadIdx.x) % lanes;
    T sum[V];
    for (int v = 0; v < V; ++v) sum[v] = zero_of(T{});
    if (r < end)
      for (Offset p = start[r] + lane; p < start[r + 1]; p += lanes) {
        const T a = widen(value[p], T{});
        const T* const from = z + Offset{index[p]} * vectors + first;
        for (int v = 0; v < V; ++v)
          if (first + v < vectors) sum[v] = sum[v] + a * from[v];
      }
    for (int v = 0; v < V; ++v) sum[v] = sum_over_lanes(sum[v], lanes);
    if (r >= end || lane > 0) return;
    T* const to = z + Offset{row[r]} * vectors + first;
    for (int v = 0; v < V; ++v)
      if (first + v < vectors) to[v] = to[v] + sum[v];
  }
};

}  // namespace echelon
