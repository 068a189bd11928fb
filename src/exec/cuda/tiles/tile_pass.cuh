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
// Way out: see exec/cuda/runtime/grid_state.cuh.
//
// With several GPUs: see exec/cuda/tiles/tile_multi_gpu.cuh.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/tiles/tile_multi_gpu.cuh"
#include "exec/cuda/tiles/tile_pull.cuh"
#include "exec/cuda/tiles/tile_push.cuh"
#include "exec/cuda/tiles/tile_triangle.cuh"

namespace echelon {

template <class K>
__device__ ItemWord fetch_item(const TileParameters<K>& p, const TileBlock<K>& block, Index i) {
  using Item = typename K::Item;
  constexpr Index words = sizeof(Item) / sizeof(Index);
  typename K::Tile& tile = block.tile[i & 1];
  if (worker() < words)
    return {reinterpret_cast<Index*>(static_cast<Item*>(&tile)) + worker(),
            reinterpret_cast<const Index*>(p.items + i)[worker()]};
  if (worker() == 32 * ((words + 31) / 32))
    return {&tile.triangle, p.form[p.items[i].panel] == BlockForm::triangle ? 1 : 0};
  return {};
}

// Loads what an item needs first, before the item begins.
template <class K>
__device__ void prefetch_item(const TileParameters<K>& p, TileBlock<K>& block,
                              const typename K::Tile& tile) {
  if (tile.pull)
    PullTile<K>{p, block, tile}.prefetch();
  else
    PushTile<K>{p, block, tile}.prefetch();
}

template <class K>
__device__ void run_item(const TileParameters<K>& p, TileBlock<K>& block,
                         const typename K::Tile& tile, const ItemWord& next) {
  if constexpr (K::multi_gpu)
    if (tile.sends && tile.begin == tile.end)
      return MultiGpuPass<K>{p, block}.publish_item(tile, next);
  if (tile.triangle)
    skip_to_triangle<K>(p, block, tile, next);
  else if (tile.pull)
    PullTile<K>{p, block, tile}.run(next);
  else
    PushTile<K>{p, block, tile}.run(next);
}

// --- Subtrees.

// Not inlined, because it is rare.
template <class K>
ECHELON_NOINLINE void fill_subtree(const TileParameters<K>& p, typename Mailbox<K>::Turn turn,
                                   typename K::T* tree, typename K::T* right,
                                   const typename K::Tile& tile) {
  using T = typename K::T;
  constexpr int R = K::R;
  const Mailbox<K> mail(p.mailbox, turn);
  T* const own = tile.pull ? right : tree;
  const Index last = p.plan.task_start[tile.task + 1];
  for (Index k = p.plan.task_start[tile.task] + warp(); k < last; k += TileShape::warps) {
    const DevicePanel panel = p.plan.panel[k];
    for (Index q = lane(); q < panel.w * R; q += 32) {
      const Index position = panel.first + q / R;
      own[panel.own * R + q] =
          tile.pull ? right_pull<K>(p, mail, position, q % R) : p.sides.right_side(position, q % R);
    }
  }
  T* const rest = tree + tile.own * R;
  const Index* const position = p.plan.outside + tile.outside_start;
  if (tile.pull) {
    for (Index q = worker(); q < tile.outside * R; q += tile_threads)
      rest[q] = -mail.consume(p.mailbox.place.answers + position[q / R], q % R);
  } else {
    for (Index q = worker(); q < tile.outside * R; q += tile_threads) rest[q] = K::zero();
  }
}
// Sets up a subtree's vector, in shared memory if it fits.  When pushing it needs no numbers of
// other tasks.
template <class K>
__device__ void enter_subtree(const TileParameters<K>& p, TileBlock<K>& block,
                              const typename K::Tile& tile) {
  const bool fits = 2 * tile.own + tile.outside <= p.room.tree_size;
  block.tree = fits ? block.subtree : p.scratch + 2 * tile.space * K::R;
  block.right = block.tree + (tile.own + tile.outside) * K::R;
  fill_subtree<K>(p, block.mail.turn(), block.tree, block.right, tile);
  __syncthreads();
}
template <class K>
__device__ void leave_subtree(const TileParameters<K>& p, TileBlock<K>& block,
                              const typename K::Tile& tile) {
  constexpr int R = K::R;
  __syncthreads();
  for (Index q = worker(); q < tile.outside * R; q += tile_threads)
    block.mail.publish_to(p.to[tile.space + tile.own + q / R], q % R, block.tree[tile.own * R + q]);
  __syncthreads();  // the next subtree's vector reuses this memory
}

// --- A block.

template <class K>
__device__ void end_block(const TileParameters<K>& p, TileBlock<K>& block) {
  if constexpr (K::multi_gpu) fence_far();
  if (!p.mailbox.grid.ends_last()) return;
  p.mailbox.grid.words->turn ^= 1;
  if constexpr (K::multi_gpu) MultiGpuPass<K>{p, block}.end();
}

// The code of one block.  `shared` points to p.room.bytes bytes.
template <class K>
__device__ void run_tile_pass(const TileParameters<K>& p, char* shared) {
  TileBlock<K> block(p, shared);
  const TileList list = p.lists[blockIdx.x];
  const Index begin = list.first_item, end = begin + list.items;
  const ItemWord first = begin < end ? fetch_item(p, block, begin) : ItemWord{};
  block.ring.start(list);
  first.store();
  if constexpr (K::multi_gpu) MultiGpuPass<K>{p, block}.begin();
  for (Index i = worker(); i < p.room.slots * 32 * K::R; i += tile_threads)
    block.partial[i] = K::zero();
  __syncthreads();
  if (begin < end) prefetch_item(p, block, block.tile[begin & 1]);
  for (Index i = begin; i < end; ++i) {
    const typename K::Tile& tile = block.tile[i & 1];
    const ItemWord next = i + 1 < end ? fetch_item(p, block, i + 1) : ItemWord{};
    if (tile.enters) enter_subtree(p, block, tile);
    run_item(p, block, tile, next);
    if (tile.leaves && !tile.pull) leave_subtree(p, block, tile);
    if (i + 1 < end) prefetch_item(p, block, block.tile[(i + 1) & 1]);
  }
  __syncthreads();
  if (threadIdx.x == 0) end_block(p, block);
}

}  // namespace echelon
