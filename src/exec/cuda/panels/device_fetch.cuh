// exec/cuda/panels/device_fetch.cuh -- gathers the input vector of each task before the cuBLAS
// calls.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each task is one supernode.  All threads of a block call these functions together.
#pragma once

#include "exec/cuda/panels/device_plan.hpp"
#include "exec/cuda/runtime/device_vectors.cuh"

namespace echelon {

template <class T>
struct DeviceFetch {
  DevicePlan plan;
  DeviceVectors<T> vectors;
  const Index* place;  // of the unknown at each position, in the vectors of all tasks
  T* space;
  Offset size;  // entries per vector

  // Unknowns: the right-hand side plus the updates that earlier tasks left for them.
  __device__ void push(Index t, Index v, Index threads) const {
    const DevicePanel p = plan.panel[t];
    T* const left = space + v * size;
    for (Index j = static_cast<Index>(threadIdx.x); j < p.w; j += threads) {
      const Index k = p.first + j;
      T sum = vectors.right_side(k, v);
      for (Offset q = plan.fetch_start[k]; q < plan.fetch_start[k + 1]; ++q)
        sum = sum + left[plan.fetch[q]];
      left[plan.space_start[t] + j] = sum;
    }
  }

  // Unknowns: the right-hand side.  Rows outside: their answers.
  __device__ void pull(Index t, Index v, Index threads) const {
    const DevicePanel p = plan.panel[t];
    const Index* const outside = plan.outside + plan.outside_start[t];
    T* const answers = space + v * size;
    for (Index i = static_cast<Index>(threadIdx.x); i < p.w + p.h; i += threads)
      answers[plan.space_start[t] + i] =
          i < p.w ? vectors.right_side(p.first + i, v) : answers[place[outside[i - p.w]]];
  }
};

// The places for a plan in which every task is a single supernode.
inline Buffer<Index> find_places(const BlockPlan& plan) {
  Buffer<Index> place(static_cast<std::size_t>(plan.n));
  for (Index t = 0; t < plan.tasks(); ++t) {
    const Index s = plan.order[t];
    for (Index j = 0; j < plan.supernodes.width(s); ++j)
      place[plan.supernodes.first[s] + j] = static_cast<Index>(plan.space_start[t] + j);
  }
  return place;
}

}  // namespace echelon
