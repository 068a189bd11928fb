// exec/cuda/tiles/tile_ring.cuh -- the ring buffer in shared memory through which the values of a
// block's tiles stream.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Warp q modulo `warps` multiplies chunk q of a block and starts the copy of its values
// itself: as soon as the warp has finished with a stage, it refills the stage with the chunk that
// it needs `stages` chunks later.  So a stage serves one warp only, which waits for every phase of
// its mbarrier, and no other warp needs a signal that the stage is free.
#pragma once

#include "exec/cuda/tiles/tile_shared_memory.hpp"
#include "exec/cuda/tiles/tile_types.cuh"

namespace echelon {

// Where the values come from.
template <class K>
struct RingSource {
  const typename K::S* value;
  float kept;  // fraction of the values to keep in the L2 cache
  const TileChunk* chunks;
};

// The ring buffer as one warp uses it.
template <class K>
class TileRing {
 public:
  using S = typename K::S;

  __device__ TileRing(const RingSource<K>& source, char* shared, const TileSharedMemory& room)
      : source_(source),
        stage_(shared),
        head_(reinterpret_cast<TileChunk*>(shared + room.head) + warp() * TileShape::heads),
        full_(reinterpret_cast<Gate*>(shared + room.gate)) {}

  // Starts the copies of the first chunks of a list.
  __device__ void start(const TileList& list) {
    list_ = list;
    policy_ = cache_policy(source_.kept);
    q_ = warp();
    if (lane() == 0)
      for (Index q = warp(); q < K::stages; q += TileShape::warps)
        gate_init(full_ + q, stream_arrivals);
    fetch_head(lane());
    head_[lane()] = further_;
    fetch_head(TileShape::heads + lane());
    gates_are_ready();
    sync_warp();
    for (Index q = warp(); q < K::stages; q += TileShape::warps) start_copy(q);
  }

  // Whether this warp's current chunk is before chunk `end` of the block.
  __device__ bool is_before(Index end) const { return q_ < end; }
  __device__ TileChunk chunk() const { return head_of(q_); }
  // Its values, which are there after wait().
  __device__ const S* values() const {
    return reinterpret_cast<const S*>(stage_ + q_ % K::stages * TileShape::stage);
  }
  __device__ void wait() const { gate_wait(full_ + q_ % K::stages, q_ / K::stages & 1); }
  // This warp has finished with its chunk: refills the stage and moves on.
  __device__ void next() {
    constexpr Index half = TileShape::heads / 2;
    sync_warp();
    start_copy(q_ + K::stages);
    q_ += TileShape::warps;
    const Index i = q_ / TileShape::warps;
    if (i % half != 0) return;  // else half of the headers are used up
    if (lane() < half) head_[(i + half + lane()) % TileShape::heads] = further_;
    fetch_head(i + TileShape::heads + lane());
    sync_warp();
  }
  __device__ void skip_to(Index end) {
    while (is_before(end)) {
      wait();
      next();
    }
  }

 private:
  // Loads header i of this warp.
  __device__ void fetch_head(Index i) {
    const Index q = i * TileShape::warps + warp();
    if (q < list_.chunks) further_ = source_.chunks[list_.first_chunk + q];
  }
  __device__ TileChunk head_of(Index q) const {
    return head_[q / TileShape::warps % TileShape::heads];
  }
  __device__ void start_copy(Index q) const {
    if (q >= list_.chunks) return;
    constexpr Index group = PanelShape::group * K::parts;
    const TileChunk c = head_of(q);
    const Index stage = q % K::stages;
    stream_copy(stage_ + stage * TileShape::stage, source_.value + Offset{c.source} * group,
                c.groups * group * static_cast<unsigned>(sizeof(S)), full_ + stage, policy_);
  }

  const RingSource<K>& source_;
  char* stage_;
  TileChunk* head_;  // headers of this warp's chunks
  Gate* full_;
  Index q_ = 0;          // this warp's current chunk
  TileList list_{};      // of the block
  TileChunk further_{};  // a header of this warp, being loaded
  CachePolicy policy_{};
};

}  // namespace echelon
