// exec/cuda/device_rows.cuh -- what some lanes do to a row of a LevelMatrices: z += M z.
// SPDX-License-Identifier: BSD-3-Clause
//
// The entries of a row are dealt out to its lanes in turn and the lanes' sums added up in one
// order: the same bits each time and for every number of right-hand sides.
#pragma once

#include <algorithm>

#include "exec/cuda/device_vectors.cuh"
#include "exec/list_program.hpp"

namespace echelon {

// T is a DeviceScalar, S the one that values are stored as.
template <class T, class S>
struct DeviceRows {
  const Index* row;
  const Offset* start;
  const Index* index;
  const S* value;
  T* z;           // entry i of vector v is z[i * vectors + v]
  Index vectors;  // all of them

  // b and zeros into z, at position k.
  __device__ void fetch(const DeviceVectors<T>& from, Index k) const {
    for (Index v = 0; v < vectors; ++v) {
      z[Offset{k} * vectors + v] = from.right_side(k, v);
      z[(Offset{from.n} + k) * vectors + v] = zero_of(from.alpha);
    }
  }

  // Vectors [first, first + V) of row r; lane `threadIdx.x % lanes` of those that share it.  The
  // whole warp comes here; rows from `end` on are none.
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
