// exec/cuda/tile_pass.cuh -- what a thread block of the persistent solve does: runs its list of
// tiles, while the values of those to come stream into shared memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  A number that one tile hands to others lies in `flow`, in one of two
// copies: this solve uses the copy that `turn` says, and whoever writes a number there marks its
// place in the other copy as empty, for the next solve.  Empty is a NaN of its own (all bits set)
// that no result has, so a reader just reads until what he finds is a number: no flag, no fence, no
// counter.  Each number is one word, which is written and read as a whole.  The last block to end
// turns the copies round.
//
// Protocol inside a block.  Values come as exec/cuda/tile_ring.cuh says.  All warps meet twice an
// item: when its vector is there, and when its sums are.  The next item is fetched meanwhile.
//
// Way out.  Who waits for a number longer than `patience` says so in `status` and `given_up`; all
// others then stop waiting too, and the kernel ends with an answer that is worth nothing.
//
// With other PEs: exec/cuda/tile_share.cuh.
//
// Needs the names of exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include "exec/cuda/tile_share.cuh"

namespace echelon {

// T is a DeviceScalar, S the real type values are stored in, R the right-hand sides of a pass.
template <class T, class S, int R, bool Shared = false>
struct TilePass : TileShare<T, S, R, Shared> {
  using Flow = TileFlow<T, S, R, Shared>;
  using Flow::plan, Flow::form, Flow::lists, Flow::items, Flow::to, Flow::answers, Flow::flow,
      Flow::flow_size, Flow::scratch, Flow::state, Flow::patience, Flow::room, Flow::lane,
      Flow::warp, Flow::worker, Flow::zero, Flow::right_side, Flow::hand_on, Flow::hand_to;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Turn,
      typename Flow::Item;

  // One block.  `shared` has room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{shared, room};
    block.list = lists[blockIdx.x];
    block.turn = this->turn_of(patience == 0 ? ~0ull : nanoseconds() + patience);
    const Index begin = block.list.first_item, end = begin + block.list.items;
    const ItemWord first = begin < end ? fetch_item(block, begin) : ItemWord{};
    this->start_ring(block);
    first.store();
    if constexpr (Shared) this->begin_share(block.turn);
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
    if constexpr (Shared)
      if (tile.tells && tile.begin == tile.end) return this->tell_item(block, tile, next);
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

  // A subtree's vector: in shared memory if it fits.  It needs nothing from others when pushing.
  __device__ void enter_subtree(Block& block, const Tile& tile) const {
    const bool fits = 2 * tile.own + tile.outside <= room.tree_size;
    block.tree = fits ? block.subtree : scratch + 2 * tile.space * R;
    block.right = block.tree + (tile.own + tile.outside) * R;
    fill_subtree(block.turn, block.tree, block.right, tile);
    __syncthreads();
  }
  ECHELON_APART void fill_subtree(Turn turn, T* tree, T* right, const Tile& tile) const {
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
        rest[q] = -this->take(turn, answers + position[q / R], q % R);
    } else {
      for (Index q = worker(); q < tile.outside * R; q += tile_threads) rest[q] = zero();
    }
  }
  __device__ void leave_subtree(Block& block, const Tile& tile) const {
    __syncthreads();
    for (Index q = worker(); q < tile.outside * R; q += tile_threads)
      hand_to(block.turn, to[tile.space + tile.own + q / R], q % R, block.tree[tile.own * R + q]);
    __syncthreads();  // the next subtree's vector takes its place
  }

  __device__ void end_block() const {
    if constexpr (Shared) fence_far();
    if (count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    state->turn ^= 1;
    if constexpr (Shared) this->end_share();
  }
};

}  // namespace echelon
