// exec/cuda/batch/value_ring.cuh -- the ring buffer in shared memory through which the entries of a
// group stream, ahead of the thread block that solves it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One thread block owns the ring.  The entries are cut into chunks, which are read in
// one direction; chunk c always lies in stage c % stages, so entry p lies at line p % entries.  The
// first warp starts the copies of a chunk, one of its values and one of its indices, and the gate
// of the stage opens when both are there.  A thread waits for every chunk once, in the order of
// reading, before it reads the first entry of it; the n-th use of a stage has the parity of n.
// When all threads have finished with a chunk, a barrier of the caller says so, and release()
// starts the copy of the chunk that comes `stages` later.  A step reads at most half of the ring
// and one entry, so that the copies of the other half go on meanwhile.
#pragma once

#include "echelon/types.hpp"
#include "exec/cuda/runtime/device_flow.cuh"

namespace echelon {

template <class T, class J, int W, int least>
struct RingSize {
  static constexpr int number = static_cast<int>(sizeof(T)), line = W * number;
  static constexpr int entries = 128 * line > least ? 128 : least / line;  // a power of two
  static constexpr int stages = 8, chunk = entries / stages;
  static constexpr int values = entries * line;  // bytes
  static constexpr int gates = values + entries * static_cast<int>(sizeof(J));
  static constexpr int bytes = gates + stages * static_cast<int>(sizeof(Gate));
  static constexpr int most_entries = entries / 2;  // of a step
  // Copies are whole units of 16 bytes.
  static_assert(chunk * line % 16 == 0 && chunk * sizeof(J) % 16 == 0);
};

// `turned`: the entries are read from the last to the first.
template <class T, class J, int W, int least, bool turned>
class ValueRing {
 public:
  using Size = RingSize<T, J, W, least>;

  // Both streams are aligned to 16 bytes and end with whole chunks.
  __device__ ValueRing(char* shared, const T* value, const J* index, Index entries)
      : ring_(shared),
        gate_(reinterpret_cast<Gate*>(shared + Size::gates)),
        value_(value),
        index_(index),
        chunks_((entries + Size::chunk - 1) / Size::chunk) {}

  // The first warp, before a barrier: starts the first copies.
  __device__ void start() {
    policy_ = cache_policy(1);
    if (threadIdx.x == 0)
      for (int k = 0; k < Size::stages; ++k) gate_init(gate_ + k, 2 * stream_arrivals);
    gates_are_ready();
    sync_warp();
    issue_until(Size::stages);
  }
  // Until all entries up to `edge` are there.
  __device__ void wait(Index edge) {
    const Index needed = turned ? chunks_ - below(edge) : below(edge + Size::chunk - 1);
    for (; arrived_ < needed; ++arrived_)
      gate_wait(gate_ + stage_of(arrived_), static_cast<unsigned>(arrived_) / Size::stages & 1);
  }
  // The first warp, after a barrier: no thread needs the entries up to `edge` any more.
  __device__ void release(Index edge) {
    const Index freed = turned ? chunks_ - below(edge + Size::chunk - 1) : below(edge);
    issue_until(freed + Size::stages);
  }
  __device__ T at(Index p, int w) const {
    return reinterpret_cast<const T*>(ring_)[(p & (Size::entries - 1)) * W + w];
  }
  // The unknown of entry p.
  __device__ Index unknown(Index p) const {
    return static_cast<Index>(
        reinterpret_cast<const J*>(ring_ + Size::values)[p & (Size::entries - 1)]);
  }

 private:
  // Whole chunks below an entry.
  static __device__ Index below(Index edge) {
    return static_cast<Index>(static_cast<unsigned>(edge) / Size::chunk);
  }
  // Where the chunk lies that is number `order` in the order of reading.
  __device__ Index chunk_of(Index order) const { return turned ? chunks_ - 1 - order : order; }
  __device__ Index stage_of(Index order) const { return chunk_of(order) & (Size::stages - 1); }

  __device__ void issue_until(Index end) {
    for (; issued_ < min(end, chunks_); ++issued_) {
      const Index c = chunk_of(issued_), stage = stage_of(issued_);
      constexpr int values = Size::chunk * Size::line,
                    indices = Size::chunk * static_cast<int>(sizeof(J));
      stream_copy(ring_ + stage * values, value_ + Offset{c} * (Size::chunk * W), values,
                  gate_ + stage, policy_);
      stream_copy(ring_ + Size::values + stage * indices, index_ + Offset{c} * Size::chunk, indices,
                  gate_ + stage, policy_);
    }
  }

  char* ring_;
  Gate* gate_;
  const T* value_;
  const J* index_;
  Index chunks_;
  Index arrived_ = 0, issued_ = 0;  // chunks, in the order of reading
  CachePolicy policy_{};
};

}  // namespace echelon
