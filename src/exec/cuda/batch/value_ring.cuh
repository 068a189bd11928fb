// exec/cuda/batch/value_ring.cuh -- the ring buffer in shared memory through which the entries of a
// group stream, ahead of the thread block that solves it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One thread block owns the ring.  The entries come in pieces; piece c is copied by
// asynchronous copies of all threads, one commit each.  advance() waits for the next piece c,
// synchronizes the block, and starts the copy of piece c + ahead, which replaces pieces before c:
// the barrier says that all threads have finished with them.  ahead + 1 pieces fit the ring, and
// the few entries by which a copy of whole units of 16 bytes exceeds a piece.
#pragma once

#include "echelon/types.hpp"
#include "exec/cuda/runtime/async_copy.cuh"

namespace echelon {

template <class T, class J, int W, int least>
struct RingSize {
  static constexpr int number = static_cast<int>(sizeof(T)), line = W * number;
  static constexpr int entries = 128 * line > least ? 128 : least / line;  // a power of two
  static constexpr int values = entries * line;                            // bytes
  static constexpr int bytes = values + entries * static_cast<int>(sizeof(J));
  static constexpr int ahead = 3;
  // Copies begin and end at multiples of this: 16 bytes of values, 4 of indices.
  static constexpr int by_values = line < 16 ? 16 / line : 1;
  static constexpr int by_index = static_cast<int>(sizeof(J)) < 4 ? 2 : 1;
  static constexpr int unit = by_values > by_index ? by_values : by_index;
  static constexpr int most_entries = entries / (ahead + 1) - unit;  // of a piece
};

// `turned`: the entries are read from the last to the first.
template <class T, class J, int W, int least, bool turned>
class ValueRing {
 public:
  using Size = RingSize<T, J, W, least>;

  // All threads of the block.  `piece`: where each begins in the order of reading, then the end
  // ahead + 3 times.  Both streams are aligned to 16 bytes and end with whole units.
  __device__ ValueRing(char* shared, const T* value, const J* index, const Index* piece)
      : ring_(shared),
        value_(reinterpret_cast<const char*>(value)),
        index_(reinterpret_cast<const char*>(index)),
        piece_(piece),
        edge_(piece[0]),
        next_edge_(piece[1]),
        from_(piece[0]),
        to_(piece[1]),
        thread_(static_cast<int>(threadIdx.x)),
        threads_(static_cast<int>(blockDim.x)) {
    for (int k = 0; k < Size::ahead; ++k) issue();
  }

  // The end of the current piece.
  __device__ Index edge() const { return edge_; }
  // A barrier, after which the next piece is the current one.
  __device__ void advance() {
    wait_for_copies<Size::ahead - 1>();
    __syncthreads();
    edge_ = next_edge_;
    next_edge_ = piece_[issued_ - Size::ahead + 2];
    issue();
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
  __device__ void issue() {
    constexpr Index unit = Size::unit;
    const Index low = (turned ? to_ : from_) / unit * unit;
    const Index high = ((turned ? from_ : to_) + unit - 1) / unit * unit;
    const int size = from_ == to_ ? 0 : (high - low) * Size::line;
    const char* const value = value_ + Offset{low} * Size::line;
    const unsigned at = static_cast<unsigned>(low) * Size::line;
    for (int k = thread_ * 16; k < size; k += threads_ * 16)
      start_copy<16>(ring_ + ((at + k) & (Size::values - 1)), value + k);
    constexpr int each = static_cast<int>(sizeof(J));
    const unsigned first = static_cast<unsigned>(low) * each;
    for (int k = thread_ * 4; k < size / Size::line * each; k += threads_ * 4)
      start_copy<4>(ring_ + Size::values + ((first + k) & (Size::entries * each - 1)),
                    index_ + Offset{low} * each + k);
    commit_copies();
    ++issued_;
    from_ = to_;
    to_ = piece_[issued_ + 1];
  }

  char* ring_;
  const char *value_, *index_;
  const Index* piece_;
  Index edge_, next_edge_, from_, to_;  // of the current piece, of the one to copy next
  int thread_, threads_;
  Index issued_ = 0;
};

}  // namespace echelon
