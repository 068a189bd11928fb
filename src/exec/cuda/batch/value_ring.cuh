// exec/cuda/batch/value_ring.cuh -- the ring buffer in shared memory through which the entries of a
// group stream, ahead of the thread block that solves it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One thread block owns the ring.  A stage is copied by asynchronous copies of all
// threads; every thread commits once per stage, also where it copies nothing, so that the number of
// commits tells which stages are complete.  advance() waits for the stages that come
// next, synchronizes the block, and refills as many stages as have arrived: `ahead` stages are
// under way at any time.  At most `most_new` stages arrive at a time, so those that are refilled
// lie before the last one that arrived earlier, and the barrier says that all threads have finished
// with them.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "echelon/types.hpp"

namespace echelon {

template <class T, class J, int W, int least>
struct RingSize {
  static constexpr int number = static_cast<int>(sizeof(T));
  static constexpr int entries = 8 * W * number > least ? 8 : least / (W * number);  // of a stage
  static constexpr int stage = entries * W * number;                                 // bytes
  static constexpr int stages = 16, ahead = 10, most_new = stages - ahead - 2;
  static constexpr int indices = entries * static_cast<int>(sizeof(J));  // bytes of a stage
  static constexpr int values = stages * stage;
  static constexpr int bytes = values + stages * indices;
  static constexpr int most_entries = most_new * entries;  // that one advance() makes available
};

// `turned`: the entries are read from the last to the first.
template <class T, class J, int W, int least, bool turned>
class ValueRing {
 public:
  using Size = RingSize<T, J, W, least>;

  // All threads of the block.  Both streams are aligned to 16 bytes; that of values has whole
  // pieces of 16 bytes, that of indices whole stages.
  __device__ ValueRing(char* shared, const T* stream, const J* index, Index entries)
      : ring_(shared),
        stream_(reinterpret_cast<const char*>(stream)),
        index_(reinterpret_cast<const char*>(index)),
        stream_end_(stream_ + (Offset{entries} * W * Size::number + 15) / 16 * 16),
        stages_((entries + Size::entries - 1) / Size::entries),
        edge_(turned ? stages_ * Size::entries : 0),
        copied_at_once_(static_cast<int>(blockDim.x) * 16) {
    for (int k = 0; k < Size::ahead; ++k) issue();
  }

  // Entries before (turned: from) the edge have arrived.
  __device__ Index edge() const { return edge_; }

  // A barrier; afterwards the entries before (turned: from) `wanted` are there, or as many of them
  // as fit.  Returns whether these are all.
  __device__ bool advance(Index wanted) {
    const Index missing = turned ? edge_ - wanted : wanted - edge_;
    const Index due = missing > 0 ? (missing + Size::entries - 1) / Size::entries : 0;
    const Index some = min(due, Index{Size::most_new});
    __pipeline_wait_prior(static_cast<std::size_t>(Size::ahead - some));
    __syncthreads();
    for (Index k = 0; k < some; ++k) issue();
    edge_ += turned ? -some * Size::entries : some * Size::entries;
    return some == due;
  }
  __device__ T at(Index p, int w) const {
    constexpr int most = Size::stages * Size::entries;  // a power of two
    return reinterpret_cast<const T*>(ring_)[(p & (most - 1)) * W + w];
  }
  // The unknown of entry p.
  __device__ Index unknown(Index p) const {
    constexpr int most = Size::stages * Size::entries;
    return static_cast<Index>(reinterpret_cast<const J*>(ring_ + Size::values)[p & (most - 1)]);
  }

 private:
  __device__ void issue() {
    if (issued_ < stages_) {
      const Index s = turned ? stages_ - 1 - issued_ : issued_;
      const char* const from = stream_ + Offset{s} * Size::stage;
      char* const to = ring_ + s % Size::stages * Size::stage;
      for (int at = static_cast<int>(threadIdx.x) * 16; at < Size::stage; at += copied_at_once_)
        if (from + at < stream_end_) __pipeline_memcpy_async(to + at, from + at, 16);
      for (int at = static_cast<int>(threadIdx.x) * 16; at < Size::indices; at += copied_at_once_)
        __pipeline_memcpy_async(ring_ + Size::values + s % Size::stages * Size::indices + at,
                                index_ + Offset{s} * Size::indices + at, 16);
    }
    __pipeline_commit();
    ++issued_;
  }

  char* ring_;
  const char *stream_, *index_, *stream_end_;
  Index stages_, edge_;
  int copied_at_once_;  // bytes
  Index issued_ = 0;
};

}  // namespace echelon
