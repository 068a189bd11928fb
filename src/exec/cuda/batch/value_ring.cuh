// exec/cuda/batch/value_ring.cuh -- the ring buffer in shared memory through which the values of a
// group stream, ahead of the warp that solves it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One warp owns the ring.  A stage is copied by asynchronous copies of all lanes, one
// commit per stage, also where there is nothing left to copy, so that the number of commits tells
// which stages are complete.  advance() starts the copy of the stage that is `ahead` stages further
// on, waits for the next one and synchronizes the warp.  The new copy replaces a stage that lies
// stages - ahead before the next one: all lanes have finished with it, since the warp has been
// synchronized by advance() in between.  So the last `kept` stages stay readable.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "echelon/types.hpp"

namespace echelon {

template <class T, int W>
struct RingSize {
  static constexpr int number = static_cast<int>(sizeof(T));
  static constexpr int least = 512;  // bytes of a stage: a copy of 16 bytes by every lane
  static constexpr int entries = 8 * W * number > least ? 8 : least / (W * number);  // of a stage
  static constexpr int stage = entries * W * number;                                 // bytes
  static constexpr int stages = 16, ahead = 8, kept = stages - ahead - 1;
  static constexpr int bytes = stages * stage;
  // Rows that are solved at the same time have at most so many entries together.
  static constexpr int most_together = (kept - 1) * entries;
};

// `turned`: the entries are read from the last to the first.
template <class T, int W, bool turned>
class ValueRing {
 public:
  using Size = RingSize<T, W>;

  // All lanes of the warp.  The stream is aligned to 16 bytes and has whole pieces of 16 bytes.
  __device__ ValueRing(char* shared, const T* stream, Index entries)
      : ring_(shared),
        stream_(reinterpret_cast<const char*>(stream)),
        bytes_((Offset{entries} * W * Size::number + 15) / 16 * 16),
        stages_((entries + Size::entries - 1) / Size::entries),
        edge_(turned ? stages_ * Size::entries : 0) {
    for (int k = 0; k < Size::ahead; ++k) issue();
  }

  // Entries before (turned: from) the edge have arrived, and the newest ones are still there.
  __device__ Index edge() const { return edge_; }
  __device__ void advance() {
    issue();
    __pipeline_wait_prior(Size::ahead);
    __syncwarp();
    edge_ += turned ? -Size::entries : Size::entries;
  }
  // Until entry p is there.
  __device__ void require(Index p) {
    while (turned ? p < edge_ : p >= edge_) advance();
  }
  __device__ T at(Index p, int w) const {
    constexpr int most = Size::stages * Size::entries;  // a power of two
    return reinterpret_cast<const T*>(ring_)[(p & (most - 1)) * W + w];
  }

 private:
  __device__ void issue() {
    if (issued_ < stages_) {
      const Index s = turned ? stages_ - 1 - issued_ : issued_;
      const Offset from = Offset{s} * Size::stage;
      char* const to = ring_ + s % Size::stages * Size::stage;
#pragma unroll
      for (int at = static_cast<int>(threadIdx.x) * 16; at < Size::stage; at += Size::least)
        if (from + at < bytes_) __pipeline_memcpy_async(to + at, stream_ + from + at, 16);
    }
    __pipeline_commit();
    ++issued_;
  }

  char* ring_;
  const char* stream_;
  Offset bytes_;
  Index stages_, edge_;
  Index issued_ = 0;
};

}  // namespace echelon
