// exec/cuda/tiles/tile_types.cuh -- what a kernel of method tree is compiled for: its scalar types,
// the layout of stored values, and its threads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include <type_traits>

#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_scalar.cuh"
#include "exec/cuda/tiles/pe_plan.hpp"
#include "exec/cuda/tiles/tile_program.hpp"

namespace echelon {

constexpr int tile_threads = 32 * TileShape::warps;

__device__ inline int warp() { return static_cast<int>(threadIdx.x) / 32; }
__device__ inline int lane() { return static_cast<int>(threadIdx.x) % 32; }
__device__ inline Index worker() { return static_cast<Index>(threadIdx.x); }

// Number is a DeviceScalar, Real the real type of the stored values, Width the right-hand sides per
// pass.  MultiGpu: other PEs hold parts of the triangle.
template <class Number, class Real, int Width, bool MultiGpu = false>
struct TileTypes {
  using T = Number;
  using S = Real;
  static constexpr int R = Width;
  static constexpr bool multi_gpu = MultiGpu;
  static constexpr int parts = std::is_floating_point_v<T> ? 1 : 2;
  using Word = std::conditional_t<sizeof(T) / parts == 8, double, float>;
  using Item = std::conditional_t<multi_gpu, PeItem, TileItem>;
  using Target = std::conditional_t<multi_gpu, Offset, Index>;

  static constexpr Index stages = TileShape::stages(R);
  static constexpr Index chunk_columns =
      TileShape::stage / (PanelShape::strip * parts * static_cast<Index>(sizeof(S)));
  static constexpr int ahead = 4;  // polls in flight per thread

  // An item, and the form of its panel.
  struct Tile : Item {
    alignas(16) Index triangle;  // the panel is not inverted
  };

  __device__ static T zero() { return zero_of(T{}); }

  // --- Stored values.

  // Strip k; offsets count from its first value.
  __device__ static Strip shape_of(Index w, Index h, Index k) {
    constexpr Index r = PanelShape::strip, g = PanelShape::group;
    const Index begin = r * k, full = min(w, begin), rows = min(r, w + h - begin);
    return {begin, (rows + g - 1) / g * g, full, min(w - full, r), 0};
  }
  // Offset of a row in a stored column; complex columns store 8 real parts, then 8 imaginary parts.
  __device__ static Index row_offset(Index row) {
    return parts == 1 ? row : row / PanelShape::group * PanelShape::group + row;
  }
  // A value as stored; value() converts it for the product.
  struct Stored {
    S part[parts];
    __device__ T value() const {
      if constexpr (parts == 1)
        return static_cast<T>(part[0]);
      else
        return {static_cast<Word>(part[0]), static_cast<Word>(part[1])};
    }
  };
  __device__ static Stored fetch(const S* a) {
    if constexpr (parts == 1)
      return {{a[0]}};
    else
      return {{a[0], a[PanelShape::group]}};
  }
  __device__ static T read(const S* a) { return fetch(a).value(); }
};

// Calls body(integral_constant N), where N is the number of loads in flight per thread: 1 if there
// is at most one number per thread, else `ahead`.
template <class K, class Body>
__device__ void with_ahead(Index total, const Body& body) {
  if (K::R == 1 && total <= tile_threads)
    body(std::integral_constant<int, 1>());
  else
    body(std::integral_constant<int, K::ahead>());
}
// Calls body(first index) for this thread's part of `total` numbers, N at a time; at least once.
template <int N, class Body>
__device__ void for_each_batch(Index total, const Body& body) {
  Index begin = worker();
  do body(begin);
  while ((begin += N * tile_threads) < total);
}

}  // namespace echelon
