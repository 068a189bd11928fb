// exec/cuda/frame/scaled_squares.cuh -- scaled sums of squares without overflow or underflow.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>

#include "exec/cuda/frame/permute_scale_pass.cuh"

namespace echelon {

// The value is most^2 sum.  `most` is the largest magnitude so far, infinity once a value was not
// finite.
struct ScaledSquares {
  double most = 0;
  double sum = 0;

  __device__ void add(double size) {
    if (!isfinite(size)) most = std::numeric_limits<double>::infinity();
    if (size == 0 || !isfinite(most)) return;
    join({size, 1});
  }

  __host__ __device__ void join(const ScaledSquares& other) {
    if (!isfinite(other.most)) most = other.most;
    if (other.most == 0 || !isfinite(most)) return;
    const bool larger = other.most > most;
    const double high = larger ? other.most : most, ratio = (larger ? most : other.most) / high;
    sum = larger ? other.sum + sum * ratio * ratio : sum + other.sum * ratio * ratio;
    most = high;
  }
};

template <class R>
__device__ void add_entry(ScaledSquares& squares, R a) {
  squares.add(fabs(static_cast<double>(a)));
}
template <class R>
__device__ void add_entry(ScaledSquares& squares, DeviceComplex<R> a) {
  squares.add(fabs(static_cast<double>(a.re)));
  squares.add(fabs(static_cast<double>(a.im)));
}

// The sum of every `threads`-th entry of vector k from entry `thread` on, joined over the warp in a
// fixed order.
template <class T>
__device__ ScaledSquares find_squares(const FrameVectors<const T>& r, Index n, Index k,
                                      Offset thread, Offset threads) {
  ScaledSquares squares;
  for (Offset i = thread; i < n; i += threads) add_entry(squares, r(i, k));
  for (int step = 16; step > 0; step /= 2)
    squares.join(
        {__shfl_xor_sync(~0u, squares.most, step), __shfl_xor_sync(~0u, squares.sum, step)});
  return squares;
}

}  // namespace echelon
