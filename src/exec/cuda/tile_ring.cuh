// exec/cuda/tile_ring.cuh -- a block of the persistent solve: its parameters, its shared memory,
// and the ring through which the values of its tiles stream in.
// SPDX-License-Identifier: BSD-3-Clause
//
// Ring.  Chunk q of a block is multiplied by warp q modulo `warps`, which asks for its values
// itself: as soon as it is done with a stage, it has the stage filled with the chunk it will need
// `stages` later.  So a stage serves one warp only, which sees its gate go through all its turns,
// and nobody has to be told that a stage is free.
#pragma once

#include <type_traits>

#include "exec/cuda/device_plan.hpp"
#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/device_vectors.cuh"
#include "exec/share_plan.hpp"
#include "exec/tile_room.hpp"

namespace echelon {

constexpr int tile_threads = 32 * TileShape::warps;

// What the blocks of a solve have in common, in device memory.
struct TileState {
  unsigned turn = 0;  // which copy of the flow is used next
  unsigned done = 0;  // blocks that ended
  unsigned given_up = 0;
  unsigned met = 0;  // blocks that came to a rehearsal
};

// What a grid needs that shares a triangle with those of other PEs.  Protocol:
// exec/cuda/tile_share.cuh.
template <class Word>
struct ShareView {
  Word* const* flow;  // by PE, as this one reaches them
  unsigned copy;      // of the flows that is used now
  const Tell* tell;
  const Index* list;
  const Index* inbox;  // places others write to
  Index inbox_size;
  const Index* receivers;  // PEs
  const Index* senders;
  Index receivers_size, senders_size;
  Index me, pes;
  bool rehearses;                   // all blocks of all PEs meet, and that is all
  unsigned long long* const* done;  // by PE: its words, two for each other PE
  unsigned long long pass;          // the number of this one
  unsigned long long finished;      // and of the one receivers must have finished
  unsigned long long* clock;        // when the grid began and ended, in nanoseconds
};
struct NotShared {};

// T is a DeviceScalar, S the real type values are stored in, R the right-hand sides of a pass.
// Shared: other PEs have a part.
template <class T, class S, int R, bool Shared = false>
struct TileRing {
  static constexpr int parts = std::is_floating_point_v<T> ? 1 : 2;
  static constexpr Index stages = TileShape::stages(R);
  using Word = std::conditional_t<sizeof(T) / parts == 8, double, float>;
  using Item = std::conditional_t<Shared, ShareItem, TileItem>;
  using Target = std::conditional_t<Shared, Offset, Index>;

  DevicePlan plan;
  const BlockForm* form;
  const S* value;
  float kept;  // share of the values that had better stay in the cache
  const TileList* lists;
  const Item* items;
  const TileChunk* chunks;
  const Target* to;   // pushing: slot for the number at a place
  const Index* more;  // lists of further slots
  DeviceVectors<T> vectors;
  Index count;  // of them that there are, up to R
  // What is pushed is the right-hand side of what is pulled, divided by this if it is given, and
  // conjugated if so are the answers in the end.
  bool relays, conjugates;
  const T* divisor;
  Word* flow;  // two copies, or three
  Offset flow_size;
  Offset pushed, answers, sums_place;  // in the flow, after what tasks say to each other
  T* scratch;  // vectors of subtrees that do not fit into shared memory: twice the space
  TileState* state;
  unsigned long long patience;  // nanoseconds; 0: for ever
  TileRoom room;
  std::conditional_t<Shared, ShareView<Word>, NotShared> share;

  // An item and what is known of it besides.
  struct Tile : Item {
    alignas(16) Index triangle;  // its inverse could not be trusted
  };
  static constexpr int ahead = 4;  // looks a thread has under way at once
  // The copies of the flow, and when it is time to give up.
  struct Turn {
    Word* now;
    Word* next;
    unsigned long long deadline;
  };
  struct Block {
    __device__ Block(char* shared, const TileRoom& room)
        : ring(shared),
          head(reinterpret_cast<TileChunk*>(shared + room.head) + warp() * TileShape::heads),
          full(reinterpret_cast<Gate*>(shared + room.gate)),
          tile(reinterpret_cast<Tile*>(shared + room.tile)),
          partial(reinterpret_cast<T*>(shared + room.partial)),
          vector(reinterpret_cast<T*>(shared + room.vector)),
          subtree(reinterpret_cast<T*>(shared + room.tree)) {}
    char* ring;
    TileChunk* head;  // of this warp's chunks
    Gate* full;
    Tile* tile;           // this one and the next
    T* partial;           // [slot][32][R]; zero between tiles
    T* vector;            // right-hand sides or rows of the item
    T* subtree;           // room for
    T* tree = nullptr;    // the present subtree's own | outside; pulling: answers, negative
    T* right = nullptr;   // pulling: its right-hand sides
    Index q = 0;          // this warp's next chunk
    TileList list{};      // of the block
    TileChunk further{};  // one of this warp's heads, on its way
    T given;              // pushing: of b, the next item's first, not yet scaled
    Index wanted[ahead];  // pulling: positions of the next item's first rows
    CachePolicy policy{};
    Turn turn{};
  };

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static Index worker() { return static_cast<Index>(threadIdx.x); }
  __device__ static T zero() { return zero_of(T{}); }

  // --- Values.

  static constexpr Index chunk_columns =
      TileShape::stage / (PanelShape::strip * parts * static_cast<Index>(sizeof(S)));
  // Strip k, counted from its own first value.
  __device__ static Strip shape_of(Index w, Index h, Index k) {
    constexpr Index r = PanelShape::strip, g = PanelShape::group;
    const Index begin = r * k, full = min(w, begin), rows = min(r, w + h - begin);
    return {begin, (rows + g - 1) / g * g, full, min(w - full, r), 0};
  }
  // Where a row lies in a stored column; complex numbers lie apart in groups of 8 rows.
  __device__ static Index row_offset(Index row) {
    return parts == 1 ? row : row / PanelShape::group * PanelShape::group + row;
  }
  // A value as it is stored, and as it is multiplied.
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

  // --- The ring.

  __device__ void start_ring(Block& block) const {
    block.policy = cache_policy(kept);
    block.q = warp();
    if (lane() == 0)
      for (Index q = warp(); q < stages; q += TileShape::warps)
        gate_init(block.full + q, stream_arrivals);
    fetch_head(block, lane());
    block.head[lane()] = block.further;
    fetch_head(block, TileShape::heads + lane());
    gates_are_ready();
    sync_warp();
    for (Index q = warp(); q < stages; q += TileShape::warps) ask(block, q);
  }
  // Head i of this warp.
  __device__ void fetch_head(Block& block, Index i) const {
    const Index q = i * TileShape::warps + warp();
    if (q < block.list.chunks) block.further = chunks[block.list.first_chunk + q];
  }
  __device__ static TileChunk head_of(const Block& block, Index q) {
    return block.head[q / TileShape::warps % TileShape::heads];
  }
  __device__ static const S* stage_of(const Block& block, Index q) {
    return reinterpret_cast<const S*>(block.ring + q % stages * TileShape::stage);
  }
  __device__ void ask(const Block& block, Index q) const {
    if (q >= block.list.chunks) return;
    constexpr Index group = PanelShape::group * parts;
    const TileChunk c = head_of(block, q);
    const Index stage = q % stages;
    stream_copy(block.ring + stage * TileShape::stage, value + Offset{c.source} * group,
                c.groups * group * static_cast<unsigned>(sizeof(S)), block.full + stage,
                block.policy);
  }
  __device__ static void wait_for_chunk(const Block& block) {
    gate_wait(block.full + block.q % stages, block.q / stages & 1);
  }
  // This warp is done with its chunk.
  __device__ void next_chunk(Block& block) const {
    constexpr Index half = TileShape::heads / 2;
    sync_warp();
    ask(block, block.q + stages);
    block.q += TileShape::warps;
    const Index i = block.q / TileShape::warps;
    if (i % half != 0) return;  // else the last half of the heads has been used
    if (lane() < half) block.head[(i + half + lane()) % TileShape::heads] = block.further;
    fetch_head(block, i + TileShape::heads + lane());
    sync_warp();
  }
  // Calls body(chunk, its values) for this warp's chunks up to `end`.
  template <class Body>
  __device__ void for_each_chunk(Block& block, Index end, const Body& body) const {
    while (block.q < end) {
      wait_for_chunk(block);
      body(head_of(block, block.q), stage_of(block, block.q));
      next_chunk(block);
    }
  }
};

}  // namespace echelon
