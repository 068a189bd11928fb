// exec/cuda/tiles/tile_ring.cuh -- a thread block of method tree: its parameters, its shared
// memory, and the ring buffer for the values of its tiles.
// SPDX-License-Identifier: BSD-3-Clause
//
// Ring buffer.  Warp q modulo `warps` multiplies chunk q of a block and starts the copy of its
// values itself: as soon as the warp has finished with a stage, it refills the stage with the chunk
// that it needs `stages` chunks later.  So a stage serves one warp only, which waits for every
// phase of its mbarrier, and no other warp needs a signal that the stage is free.
#pragma once

#include <type_traits>

#include "exec/cuda/panels/device_plan.hpp"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_sync.cuh"
#include "exec/cuda/runtime/device_vectors.cuh"
#include "exec/cuda/tiles/pe_plan.hpp"
#include "exec/cuda/tiles/tile_shared_memory.hpp"

namespace echelon {

constexpr int tile_threads = 32 * TileShape::warps;

// State shared by all blocks of a solve, in device memory.
struct TileState {
  unsigned turn = 0;  // the copy of the flow that the next solve uses
  unsigned done = 0;  // blocks that have finished
  unsigned given_up = 0;
  unsigned met = 0;  // blocks that have reached the rehearsal
};

// Parameters of a grid that shares a triangle with the grids of other PEs.  Protocol: see
// exec/cuda/tiles/tile_multi_gpu.cuh.
template <class Word>
struct ShareView {
  Word* const* flow;  // by PE, as mapped into this PE's address space
  unsigned copy;      // the copy of the flows in use
  const RemoteTarget* target;
  const Index* list;
  const Index* inbox;  // slots that other PEs write
  Index inbox_size;
  const Index* receivers;  // PEs
  const Index* senders;
  Index receivers_size, senders_size;
  Index me, pes;
  bool rehearses;                   // the launch is only a rehearsal
  unsigned long long* const* done;  // by PE: its done words, two per PE
  unsigned long long pass;          // number of this pass
  unsigned long long finished;      // number of the pass that receivers must have finished
  unsigned long long* clock;        // start and end of the grid, in nanoseconds
};
struct NotShared {};

// T is a DeviceScalar, S the real type of the stored values, R the right-hand sides per pass.
// MultiGpu: other PEs hold parts of the triangle.
template <class T, class S, int R, bool MultiGpu = false>
struct TileRing {
  static constexpr int parts = std::is_floating_point_v<T> ? 1 : 2;
  static constexpr Index stages = TileShape::stages(R);
  using Word = std::conditional_t<sizeof(T) / parts == 8, double, float>;
  using Item = std::conditional_t<MultiGpu, PeItem, TileItem>;
  using Target = std::conditional_t<MultiGpu, Offset, Index>;

  DevicePlan plan;
  const BlockForm* form;
  const S* value;
  float kept;  // fraction of the values to keep in the L2 cache
  const TileList* lists;
  const Item* items;
  const TileChunk* chunks;
  const Target* to;   // push: the slot for the number at each place
  const Index* more;  // lists of further slots
  DeviceVectors<T> vectors;
  Index count;  // number of vectors, up to R
  // If `relays`: the answers of the push part are the right-hand sides of the pull part, divided by
  // `divisor` unless it is null, and conjugated if `conjugates`; the final answers are conjugated
  // then too.
  bool relays, conjugates;
  const T* divisor;
  Word* flow;  // two copies; three with several PEs
  Offset flow_size;
  Offset pushed, answers, sums_place;  // in the flow, after the slots of tasks
  T* scratch;  // subtree vectors that do not fit into shared memory: twice the space
  TileState* state;
  unsigned long long timeout_ns;  // 0: no timeout
  TileSharedMemory room;
  std::conditional_t<MultiGpu, ShareView<Word>, NotShared> share;

  // An item, and the form of its panel.
  struct Tile : Item {
    alignas(16) Index triangle;  // the panel is not inverted
  };
  static constexpr int ahead = 4;  // polls in flight per thread
  // The copies of the flow, and the deadline.
  struct Turn {
    Word* now;
    Word* next;
    unsigned long long deadline;
  };
  struct Block {
    __device__ Block(char* shared, const TileSharedMemory& room)
        : ring(shared),
          head(reinterpret_cast<TileChunk*>(shared + room.head) + warp() * TileShape::heads),
          full(reinterpret_cast<Gate*>(shared + room.gate)),
          tile(reinterpret_cast<Tile*>(shared + room.tile)),
          partial(reinterpret_cast<T*>(shared + room.partial)),
          vector(reinterpret_cast<T*>(shared + room.vector)),
          subtree(reinterpret_cast<T*>(shared + room.tree)) {}
    char* ring;
    TileChunk* head;  // headers of this warp's chunks
    Gate* full;
    Tile* tile;           // this item and the next
    T* partial;           // [slot][32][R]; zero between tiles
    T* vector;            // right-hand sides or rows of the item
    T* subtree;           // shared memory for a subtree's vectors
    T* tree = nullptr;    // current subtree's own | outside; pull: negated answers
    T* right = nullptr;   // pull: its right-hand sides
    Index q = 0;          // this warp's next chunk
    TileList list{};      // of the block
    TileChunk further{};  // a header of this warp, being loaded
    T given;              // push: the next item's first entry of b, not yet scaled
    Index wanted[ahead];  // pull: positions of the next item's first rows
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

  // --- The ring buffer.

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
  // Loads header i of this warp.
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
  // This warp has finished with its chunk: refills the stage and moves on.
  __device__ void next_chunk(Block& block) const {
    constexpr Index half = TileShape::heads / 2;
    sync_warp();
    ask(block, block.q + stages);
    block.q += TileShape::warps;
    const Index i = block.q / TileShape::warps;
    if (i % half != 0) return;  // else half of the headers are used up
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
