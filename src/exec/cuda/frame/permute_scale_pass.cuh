// exec/cuda/frame/permute_scale_pass.cuh -- device code per entry: permute and scale b, divide by
// D, scale and permute x back.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/matrix.hpp"
#include "exec/cuda/runtime/device_scalar.cuh"

namespace echelon {

// Vectors in device code.
template <class T>
struct FrameVectors {
  T* data;
  Offset step, stride;
  __device__ T& operator()(Offset i, Offset k) const { return data[i * step + k * stride]; }
};

template <Scalar T>
FrameVectors<const DeviceScalar<T>> frame_vectors(const Vectors<const T>& v) {
  return {reinterpret_cast<const DeviceScalar<T>*>(v.data), v.step(), v.stride()};
}
template <Scalar T>
FrameVectors<DeviceScalar<T>> frame_vectors(const Vectors<T>& v) {
  return {reinterpret_cast<DeviceScalar<T>*>(v.data), v.step(), v.stride()};
}

template <class R>
__device__ R scaled(R a, R by) {
  return a * by;
}
template <class R>
__device__ DeviceComplex<R> scaled(DeviceComplex<R> a, R by) {
  return {a.re * by, a.im * by};
}

// The grid: one thread per entry in x, and rows of blocks in y for the vectors.  Where there are
// more vectors than rows, each row handles several vectors.
struct FrameGrid {
  unsigned blocks, rows;
};
constexpr Index frame_threads = 256;  // per block
inline FrameGrid frame_grid(Index n, Index count) {
  constexpr Index most_rows = 1024;
  return {static_cast<unsigned>((Offset{n} + frame_threads - 1) / frame_threads),
          static_cast<unsigned>(std::min(count, most_rows))};
}

// The entries of one thread: (i, k) with k = row, row + rows, ... in an n by count array.
struct FrameShare {
  Index i, row, rows;

  template <class Visit>
  __device__ void for_each(Index n, Index count, const Visit& visit) const {
    if (i >= n) return;
    for (Offset k = row; k < count; k += rows) visit(i, static_cast<Index>(k));
  }
};

// T is a DeviceScalar, R its real type.  A null pointer stands for the identity.
template <class T, class R>
struct FramePass {
  Index n;
  const Index* row_order;
  const Index* col_order;
  const R* row_scale;
  const R* col_scale;
  const T* diagonal;

  __device__ void enter(const FrameVectors<const T>& b, const FrameVectors<T>& y, Index i,
                        Index k) const {
    const Index from = row_order == nullptr ? i : row_order[i];
    y(i, k) = row_scale == nullptr ? b(from, k) : scaled(b(from, k), row_scale[from]);
  }
  __device__ void divide(const FrameVectors<T>& y, Index i, Index k) const {
    y(i, k) = y(i, k) / diagonal[i];
  }
  // Returns false if the value is not finite.
  __device__ bool leave(const FrameVectors<const T>& y, const FrameVectors<T>& x, Index j,
                        Index k) const {
    const Index to = col_order == nullptr ? j : col_order[j];
    const T value = col_scale == nullptr ? y(j, k) : scaled(y(j, k), col_scale[to]);
    x(to, k) = value;
    return is_finite(value);
  }
};

}  // namespace echelon
