// exec/cuda/tiles/tile_pass.cuh -- device code of method tree: a thread block of the resident grid
// runs its list of tiles, while the values of later tiles stream into shared memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  Tiles publish numbers in `flow`, which has two copies.  This solve uses
// the copy that `turn` selects.  The thread that publishes a number also empties its slot in the
// other copy, for the next solve.  Empty is a special NaN (all bits set) that no result has, so a
// consumer polls until the slot is not empty: no flag, no fence, no counter.  Each real number, or
// part of a complex number, is one word, written and read as a whole.  The last block to finish
// flips `turn`.
//
// Protocol inside a block.  exec/cuda/tiles/tile_ring.cuh describes how values arrive.  All warps
// meet at two barriers per item: when its vector is complete, and when its sums are.  The next item
// is loaded meanwhile.
//
// Way out.  A thread that polls for longer than `timeout_ns` raises status_gave_up and sets
// `given_up`.  All other threads then stop waiting too, and the kernel ends with a useless answer.
//
// With several GPUs: see exec/cuda/tiles/tile_multi_gpu.cuh.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/tiles/tile_multi_gpu.cuh"

namespace echelon {

// T is a DeviceScalar, S the real type of the stored values, R the right-hand sides per pass.
template <class T, class S, int R, bool MultiGpu = false>
struct TilePass : TileMultiGpu<T, S, R, MultiGpu> {
  using Flow = TileFlow<T, S, R, MultiGpu>;
  using Flow::plan, Flow::form, Flow::lists, Flow::items, Flow::to, Flow::answers, Flow::flow,
      Flow::flow_size, Flow::scratch, Flow::state, Flow::timeout_ns, Flow::room, Flow::lane,
      Flow::warp, Flow::worker, Flow::zero, Flow::right_side, Flow::publish, Flow::hand_to;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Turn,
      typename Flow::Item;

  // The code of one block.  `shared` points to room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{shared, room};
    block.list = lists[blockIdx.x];
    block.turn = this->turn_of(timeout_ns == 0 ? ~0ull : nanoseconds() + timeout_ns);
    const Index begin = block.list.first_item, end = begin + block.list.items;
    const ItemWord first = begin < end ? fetch_item(block, begin) : ItemWord{};
    this->start_ring(block);
    first.store();
    if constexpr (MultiGpu) this->begin_share(block.turn);
    for (Index i = worker(); i < room.slots * 32 * R; i += tile_threads) block.partial[i] = zero();
    __syncthreads();
    if (begin < end) want_item(block, block.tile[begin & 1]);
    for (Index i = begin; i < end; ++i) {
      const Tile& tile = block.tile[i & 1];
      const ItemWord next = i + 1 < end ? fetch_item(block, i + 1) : ItemWord{};
      if (tile.enters) enter_subtree(block, tile);
      run_item(block, tile, next);
      if (tile.leaves && !tile.pull) leave_subtree(block, tile);
      if (i + 1 < end) want_item(block, block.tile[(i + 1) & 1]);
    }
    __syncthreads();
    if (threadIdx.x == 0) end_block();
  }

 private:
  __device__ void run_item(Block& block, const Tile& tile, const ItemWord& next) const {
    if constexpr (MultiGpu)
      if (tile.sends && tile.begin == tile.end) return this->publish_item(block, tile, next);
    if (tile.triangle)
      skip_to_triangle(block, tile, next);
    else if (tile.pull)
      this->pull_tile(block, tile, next);
    else
      this->push_tile(block, tile, next);
  }
  __device__ ItemWord fetch_item(const Block& block, Index i) const {
    constexpr Index words = sizeof(Item) / sizeof(Index);
    Tile& tile = block.tile[i & 1];
    if (worker() < words)
      return {reinterpret_cast<Index*>(static_cast<Item*>(&tile)) + worker(),
              reinterpret_cast<const Index*>(items + i)[worker()]};
    if (worker() == 32 * ((words + 31) / 32))
      return {&tile.triangle, form[items[i].panel] == BlockForm::triangle ? 1 : 0};
    return {};
  }
  __device__ void want_item(Block& block, const Tile& tile) const {
    if (tile.pull)
      this->want_pull(block, tile);
    else
      this->want_push(block, tile);
  }
  __device__ void skip_to_triangle(Block& block, const Tile& tile, const ItemWord& next) const {
    this->for_each_chunk(block, tile.chunk_end, [](const TileChunk&, const S*) {});
    __syncthreads();
    next.store();
    __syncthreads();
    if (tile.last && tile.part + 1 == tile.parts)
      this->run_triangle({block.turn, block.partial, block.tree, block.right}, tile);
  }

  // Sets up a subtree's vector, in shared memory if it fits.  When pushing it needs no numbers of
  // other tasks.
  __device__ void enter_subtree(Block& block, const Tile& tile) const {
    const bool fits = 2 * tile.own + tile.outside <= room.tree_size;
    block.tree = fits ? block.subtree : scratch + 2 * tile.space * R;
    block.right = block.tree + (tile.own + tile.outside) * R;
    fill_subtree(block.turn, block.tree, block.right, tile);
    __syncthreads();
  }
  ECHELON_NOINLINE void fill_subtree(Turn turn, T* tree, T* right, const Tile& tile) const {
    T* const own = tile.pull ? right : tree;
    const Index last = plan.task_start[tile.task + 1];
    for (Index k = plan.task_start[tile.task] + warp(); k < last; k += TileShape::warps) {
      const DevicePanel p = plan.panel[k];
      for (Index q = lane(); q < p.w * R; q += 32) {
        const Index position = p.first + q / R;
        own[p.own * R + q] =
            tile.pull ? this->right_pull(turn, position, q % R) : right_side(position, q % R);
      }
    }
    T* const rest = tree + tile.own * R;
    const Index* const position = plan.outside + tile.outside_start;
    if (tile.pull) {
      for (Index q = worker(); q < tile.outside * R; q += tile_threads)
        rest[q] = -this->consume(turn, answers + position[q / R], q % R);
    } else {
      for (Index q = worker(); q < tile.outside * R; q += tile_threads) rest[q] = zero();
    }
  }
  __device__ void leave_subtree(Block& block, const Tile& tile) const {
    __syncthreads();
    for (Index q = worker(); q < tile.outside * R; q += tile_threads)
      hand_to(block.turn, to[tile.space + tile.own + q / R], q % R, block.tree[tile.own * R + q]);
    __syncthreads();  // the next subtree's vector reuses this memory
  }

  __device__ void end_block() const {
    if constexpr (MultiGpu) fence_far();
    if (count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    state->turn ^= 1;
    if constexpr (MultiGpu) this->end_share();
  }
};

}  // namespace echelon
