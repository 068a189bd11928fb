// exec/cuda/runtime/device_vectors.cuh -- the caller's vectors b and x in device code, addressed by
// position in the sweep.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/runtime/device_scalar.cuh"
#include "exec/cuda/runtime/status_word.cuh"

namespace echelon {

template <class T>
struct DeviceVectors {
  Index n;
  bool reversed;  // position k is unknown n-1-k
  bool conjugate;
  T alpha;
  const T* b;
  Offset b_step, b_stride;
  T* x;
  Offset x_step, x_stride;
  unsigned* status;

  __device__ Index unknown(Index k) const { return reversed ? n - 1 - k : k; }
  __device__ T given(Index k, Index v) const { return b[unknown(k) * b_step + v * b_stride]; }
  __device__ T scaled(T a) const { return conjugate_if(conjugate, alpha * a); }
  __device__ T right_side(Index k, Index v) const { return scaled(given(k, v)); }
  __device__ void store(Index k, Index v, T a) const {
    if (!is_finite(a)) raise_status(status, status_not_finite);
    x[unknown(k) * x_step + v * x_stride] = conjugate_if(conjugate, a);
  }
};

// Where a method leaves its results, before store_answers copies them to the caller's x.
template <class T>
struct DeviceAnswers {
  const T* data;
  const Index* place;  // index in data per position; null: the position itself
  Offset step, stride;

  __device__ T at(Index k, Index v) const {
    return data[(place != nullptr ? place[k] : k) * step + v * stride];
  }
};

}  // namespace echelon
