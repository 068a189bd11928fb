// exec/cuda/tiles/tile_block.cuh -- a thread block of method tree: ring buffer, mailbox, shared
// memory, and the sums of its tiles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/tile_parameters.cuh"

namespace echelon {

// One word of an item, loaded by each thread before it is stored in shared memory.
struct ItemWord {
  Index* to = nullptr;
  Index word = 0;
  __device__ void store() const {
    if (to != nullptr) *to = word;
  }
};

// A block as one thread sees it.
template <class K>
struct TileBlock {
  using T = typename K::T;
  using Tile = typename K::Tile;

  __device__ TileBlock(const TileParameters<K>& p, char* shared)
      : ring(p.source, shared, p.room),
        mail(p.mailbox),
        tile(reinterpret_cast<Tile*>(shared + p.room.tile)),
        partial(reinterpret_cast<T*>(shared + p.room.partial)),
        vector(reinterpret_cast<T*>(shared + p.room.vector)),
        subtree(reinterpret_cast<T*>(shared + p.room.tree)) {}

  TileRing<K> ring;
  Mailbox<K> mail;
  Tile* tile;              // this item and the next
  T* partial;              // [slot][32][R]; zero between tiles
  T* vector;               // right-hand sides or rows of the item
  T* subtree;              // shared memory for a subtree's vectors
  T* tree = nullptr;       // current subtree's own | outside; pull: negated answers
  T* right = nullptr;      // pull: its right-hand sides
  T given;                 // push: the next item's first entry of b, not yet scaled
  Index wanted[K::ahead];  // pull: positions of the next item's first rows
};

// Returns the sum of an entry over its slots in shared memory and resets them to zero.
template <class K>
__device__ typename K::T take_slots(typename K::T* a, Index slots) {
  using T = typename K::T;
  T slot[TileShape::warps], sum = K::zero();
  ECHELON_UNROLL
  for (int s = 0; s < TileShape::warps; ++s) slot[s] = s < slots ? a[s * 32 * K::R] : K::zero();
  ECHELON_UNROLL
  for (int s = 0; s < TileShape::warps; ++s) {
    sum = sum + slot[s];
    if (s < slots) a[s * 32 * K::R] = K::zero();
  }
  return sum;
}

// The sum of number i of an item, over its slots in shared memory, which are reset to zero, and
// over the earlier parts of the tile.  `entries`: entries per part.  Returns false if a later part
// adds up.
template <class K>
__device__ bool add_up(const Mailbox<K>& mail, const typename K::Tile& tile,
                       typename K::T* slot_of_i, Index slots, Index i, Index entries,
                       typename K::T& sum) {
  using One = typename Mailbox<K>::One;
  sum = take_slots<K>(slot_of_i, slots);
  if (tile.parts == 1) return true;
  const Offset place = mail.view().place.sums + tile.sums + i / K::R;
  const int r = i % K::R;
  if (tile.part + 1 < tile.parts) {
    mail.publish(place + tile.part * entries, r, sum);
    return false;
  }
  One other[TileShape::most_parts - 1];
  const auto poll = [&](int p) {
    return One{p + 1 < tile.parts ? mail.poll(place + p * entries, r) : K::zero()};
  };
  ECHELON_UNROLL
  for (int p = 0; p + 1 < TileShape::most_parts; ++p) other[p] = poll(p);
  mail.wait_for_all(other, poll);
  ECHELON_UNROLL
  for (int p = 0; p + 1 < TileShape::most_parts; ++p) sum = sum + other[p].a;
  return true;
}

}  // namespace echelon
