// exec/cuda/tiles/wide_stream.cuh -- the product of a warp: chunks of a panel and of right-hand
// sides stream through shared memory into FP64 tensor cores.
// SPDX-License-Identifier: BSD-3-Clause
//
// A chunk is 32 rows by 8 columns of a strip when pushing, or 8 rows of 32 columns when pulling,
// with the 8 rows of right-hand sides that it is multiplied with.  A lane copies the very values of
// the panel that it gives to the tensor core, so only the right-hand sides pass between lanes.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/tiles/wide_block.cuh"

namespace echelon {

// Two neighbouring values as stored, in 16 bytes of a stage.
template <class S>
struct alignas(2 * sizeof(S)) WidePair {
  S a, b;
};

// The sums of a warp: 32 rows by 8 Q columns, as the tensor core's lanes hold them.  With lane
// 4 g + t, sum[m][q] has rows 16 m + 2 g and + 1 (when pushing), or 16 m + g and + 8 (when pulling)
// of columns 8 q + 2 t and + 1.
template <class S, int Q, bool pull>
struct WideStream {
  using Shared = WideShared<Q>;
  static constexpr int stages = Shared::stages;

  typename Shared::Stage (&stage)[stages];
  Index begin, end, step;  // this warp's chunks start at begin, begin + step, ... below end
  double sum[2][Q][4];

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }

  // Starts the copies of the first chunks of the panel.
  template <class Panel>
  __device__ void open(const Panel& panel) {
    ECHELON_UNROLL
    for (int k = 0; k < stages; ++k)
      if (begin + k * step < end) panel(begin + k * step, stage[k]);
  }
  // Adds up all products.  panel(k, stage) and right(k, stage) start the copies of a chunk.
  template <class Panel, class Right>
  __device__ void run(const Panel& panel, const Right& right) {
    clear();
    ECHELON_UNROLL
    for (int k = 0; k < stages; ++k) {
      if (begin + k * step < end) right(begin + k * step, stage[k]);
      end_copies();
    }
    int now = 0;
    for (Index k = begin; k < end; k += step) {
      copies_arrive<stages - 1>();
      sync_warp();
      add(stage[now]);
      sync_warp();
      if (const Index next = k + stages * step; next < end) {
        panel(next, stage[now]);
        right(next, stage[now]);
      }
      end_copies();
      now = now + 1 < stages ? now + 1 : 0;
    }
  }
  // Stores the sums as 32 rows.
  __device__ void store(double* to) const {
    const int g = lane() / 4, t = lane() % 4;
    ECHELON_UNROLL
    for (int m = 0; m < 2; ++m) {
      double* const row = to + (pull ? 16 * m + g : 16 * m + 2 * g) * Shared::stride + 2 * t;
      double* const next = row + (pull ? 8 : 1) * Shared::stride;
      ECHELON_UNROLL
      for (int q = 0; q < Q; ++q) {
        *reinterpret_cast<WideTwo*>(row + 8 * q) = {sum[m][q][0], sum[m][q][1]};
        *reinterpret_cast<WideTwo*>(next + 8 * q) = {sum[m][q][2], sum[m][q][3]};
      }
    }
  }

 private:
  __device__ void clear() {
    ECHELON_UNROLL
    for (int m = 0; m < 2; ++m) {
      ECHELON_UNROLL
      for (int q = 0; q < Q; ++q) {
        ECHELON_UNROLL
        for (int k = 0; k < 4; ++k) sum[m][q][k] = 0;
      }
    }
  }
  // The tensor core's columns t and t + 4 of the panel are its columns (pull: rows) 2 t and 2 t + 1
  // here.
  __device__ void add(const typename Shared::Stage& from) {
    const int g = lane() / 4, t = lane() % 4;
    double a[2][4];
    ECHELON_UNROLL
    for (int k = 0; k < 4; ++k) {
      const auto two = reinterpret_cast<const WidePair<S>&>(from.a[k][lane()]);
      // push: rows 2 g and + 1 of column k % 2; pull: rows 2 t and + 1 of column g, or g + 8.
      a[k / 2][pull ? k % 2 : 2 * (k % 2)] = static_cast<double>(two.a);
      a[k / 2][pull ? k % 2 + 2 : 2 * (k % 2) + 1] = static_cast<double>(two.b);
    }
    ECHELON_UNROLL
    for (int q = 0; q < Q; ++q) {
      const double* const x = from.x + 2 * t * Shared::stride + 8 * q + g;
      const double low = x[0], high = x[Shared::stride];
      ECHELON_UNROLL
      for (int m = 0; m < 2; ++m) multiply_tile(sum[m][q], a[m], low, high);
    }
  }
};

}  // namespace echelon
