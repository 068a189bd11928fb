// exec/cuda/device_fetch.cuh -- what the vectors of a task hold before BLAS goes to work on them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each task is one supernode.  All threads of a block call these together.
#pragma once

#include "exec/cuda/device_plan.hpp"
#include "exec/cuda/device_vectors.cuh"

namespace echelon {

template <class T>
struct DeviceFetch {
  DevicePlan plan;
  DeviceVectors<T> vectors;
  const Index* place;  // of each position's unknown, in the space of all tasks
  T* space;
  Offset size;  // of the space of one vector

  // Unknowns: the right-hand side and what earlier tasks left for them.
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

  // Unknowns: the right-hand side; rows outside: their answers.
  __device__ void pull(Index t, Index v, Index threads) const {
    const DevicePanel p = plan.panel[t];
    const Index* const outside = plan.outside + plan.outside_start[t];
    T* const answers = space + v * size;
    for (Index i = static_cast<Index>(threadIdx.x); i < p.w + p.h; i += threads)
      answers[plan.space_start[t] + i] =
          i < p.w ? vectors.right_side(p.first + i, v) : answers[place[outside[i - p.w]]];
  }
};

// The places of a plan whose tasks are single supernodes.
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
