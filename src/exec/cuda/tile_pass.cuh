// exec/cuda/tile_pass.cuh -- what a thread block of the persistent solve does: runs its list of
// tiles, while one warp streams their values into shared memory ahead of the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  A number that one tile hands to others lies in `flow`, in one of two
// copies: this solve uses the copy that `turn` says, and whoever writes a number there marks its
// place in the other copy as empty, for the next solve.  Empty is a NaN of its own (all bits set)
// that no result has, so a reader just reads until what he finds is a number: no flag, no fence, no
// counter.  Each number is one word, which is written and read as a whole.  The last block to end
// turns the copies round.
//
// Protocol inside a block.  The last warp fills the stages of a ring in the order of the block's
// chunks; chunk q is multiplied by warp q modulo `warps`, which then gives its stage back.  A stage
// serves one warp only: it sees its gate go through all its turns.  The warps that multiply meet
// twice an item: when its vector is there, and when its sums are.  The next item is fetched
// meanwhile.
//
// Way out.  Who waits for a number longer than `patience` says so in `status` and `given_up`; all
// others then stop waiting too, and the kernel ends with an answer that is worth nothing.
//
// Needs the names of exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include "exec/cuda/tile_triangle.cuh"

namespace echelon {

// T is a DeviceScalar, S the real type values are stored in, R the right-hand sides of a pass.
template <class T, class S, int R>
struct TilePass : TileTriangle<T, S, R> {
  using Flow = TileFlow<T, S, R>;
  using Flow::parts, Flow::plan, Flow::form, Flow::value, Flow::kept, Flow::item_start, Flow::items,
      Flow::chunk_start, Flow::chunks, Flow::pull, Flow::answers, Flow::scratch, Flow::state,
      Flow::patience, Flow::room, Flow::lane, Flow::warp, Flow::worker, Flow::zero,
      Flow::right_side, Flow::hand_on, Flow::gather;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Wanted;

  // One block.  `shared` has room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{shared, room};
    block.turn = load_flow(&state->turn);
    block.deadline = patience == 0 ? ~0ull : nanoseconds() + patience;
    if (threadIdx.x < TileShape::stages) {
      gate_init(block.full + threadIdx.x, 1);
      gate_init(block.free + threadIdx.x, 1);
    }
    gates_are_ready();
    __syncthreads();
    if (threadIdx.x >= tile_workers)
      stream(block);
    else
      work(block);
    __syncthreads();
    if (threadIdx.x == 0) end_block();
  }

 private:
  // --- The ring.

  // Each lane has every 32nd chunk, and takes its turn with it.
  __device__ void stream(Block& block) const {
    const Index first = chunk_start[blockIdx.x], last = chunk_start[blockIdx.x + 1];
    const CachePolicy policy = cache_policy(kept);
    TileChunk next{};
    if (first + lane() < last) next = chunks[first + lane()];
    for (Index begin = first; begin < last; begin += 32) {
      const TileChunk mine = next;
      if (begin + 32 + lane() < last) next = chunks[begin + 32 + lane()];
      const int lanes = min(32, last - begin);
      for (int turn = 0; turn < lanes; ++turn) {
        if (lane() == turn) stream_chunk(block, begin - first + turn, mine, policy);
        sync_warp();
      }
    }
  }
  __device__ void stream_chunk(Block& block, Index q, const TileChunk& c,
                               CachePolicy policy) const {
    const Index round = q / TileShape::stages, stage = q % TileShape::stages;
    if (round > 0) gate_wait(block.free + stage, (round - 1) & 1);
    block.head[stage] = c;
    stream_copy(block.ring + stage * TileShape::stage, value + c.source * parts,
                static_cast<unsigned>(c.bytes), block.full + stage, policy);
  }

  // --- Items.

  __device__ void work(Block& block) const {
    for (Index i = worker(); i < room.slots * 32 * R; i += tile_workers) block.partial[i] = zero();
    const Index begin = item_start[blockIdx.x], end = item_start[blockIdx.x + 1];
    Index q = warp();
    if (begin < end) fetch_item(block, begin).store();
    join_threads(tile_workers);
    Wanted wanted{};
    if (begin < end) wanted = this->want_item(block.tile[begin & 1]);
    for (Index i = begin; i < end; ++i) {
      const Tile& tile = block.tile[i & 1];
      const ItemWord next = i + 1 < end ? fetch_item(block, i + 1) : ItemWord{};
      if (tile.enters) enter_subtree(block, tile);
      if (tile.triangle) {
        this->run_triangle(block, tile, q, next);
        wanted = this->wanted_after(block, i, end);
      } else if (pull) {
        this->pull_tile(block, tile, q, next);
      } else {
        this->push_tile(block, tile, q, next, i, end, wanted);
      }
      if (tile.leaves && !pull) leave_subtree(block, tile);
    }
  }
  __device__ ItemWord fetch_item(const Block& block, Index i) const {
    constexpr Index words = sizeof(TileItem) / sizeof(Index);
    Tile& tile = block.tile[i & 1];
    if (worker() < words)
      return {reinterpret_cast<Index*>(static_cast<TileItem*>(&tile)) + worker(),
              reinterpret_cast<const Index*>(items + i)[worker()]};
    if (worker() == 32 * ((words + 31) / 32))
      return {&tile.triangle, form[items[i].panel] == BlockForm::triangle ? 1 : 0};
    return {};
  }

  // A subtree's vector: in shared memory if it fits.  It needs nothing from others when pushing.
  __device__ void enter_subtree(Block& block, const Tile& tile) const {
    const Index t = tile.task, first = plan.task_start[t], last = plan.task_start[t + 1];
    const bool fits = 2 * tile.own + tile.outside <= room.tree_size;
    block.tree = fits ? block.subtree : scratch + 2 * tile.space * R;
    block.right = block.tree + (tile.own + tile.outside) * R;
    T* const own = pull ? block.right : block.tree;
    for (Index k = first + warp(); k < last; k += TileShape::warps) {
      const DevicePanel p = plan.panel[k];
      for (Index q = lane(); q < p.w * R; q += 32)
        own[p.own * R + q] = right_side(p.first + q / R, q % R);
    }
    T* const rest = block.tree + tile.own * R;
    const Index* const position = plan.outside + tile.outside_start;
    if (pull)
      gather(
          block, tile.outside, [&](Index k) { return answers + position[k]; },
          [&](Index k, int r, T a) { rest[k * R + r] = -a; });  // answers of others, negative
    else
      for (Index q = worker(); q < tile.outside * R; q += tile_workers) rest[q] = zero();
    join_threads(tile_workers);
  }
  __device__ void leave_subtree(Block& block, const Tile& tile) const {
    join_threads(tile_workers);
    for (Index q = worker(); q < tile.outside * R; q += tile_workers)
      hand_on(block, tile.space + tile.own + q / R, q % R, block.tree[tile.own * R + q]);
    join_threads(tile_workers);  // the next subtree's vector takes its place
  }

  __device__ void end_block() const {
    if (count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    state->turn ^= 1;
  }
};

}  // namespace echelon
