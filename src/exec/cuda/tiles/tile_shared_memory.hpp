// exec/cuda/tiles/tile_shared_memory.hpp -- the shared memory layout of a thread block of method
// tree.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The ring buffer of stages has the size that the kernel is compiled for.  Vectors and
// sums get less where a block has less shared memory, down to the size that one tile needs.
#pragma once

#include "exec/cuda/tiles/tile_program.hpp"

namespace echelon {

// Byte offsets in a block's shared memory; the ring buffer of stages comes first.
struct TileSharedMemory {
  Index slots = 0;        // sums of 32 rows or columns
  Index vector_size = 0;  // right-hand sides or rows of a tile
  Index tree_size = 0;    // entries of a gathered subtree's vectors that fit
  Offset head = 0, gate = 0, tile = 0, partial = 0, vector = 0, tree = 0, bytes = 0;
};

// Right-hand sides per pass, bytes per number, and bytes per item.
struct TileNumbers {
  Index right_sides, bytes;
  Offset item = sizeof(TileItem);

  Offset entry() const { return Offset{right_sides} * bytes; }
};

inline TileSharedMemory lay_tile_room(const TileNumbers& n, Index slots, Index vector_size) {
  const Offset stages = TileShape::stages(n.right_sides);
  TileSharedMemory room;
  room.slots = slots;
  room.vector_size = vector_size;
  room.tree_size = static_cast<Index>(8192 / n.entry());
  const auto take = [&](Offset bytes) {
    const Offset begin = room.bytes;
    room.bytes += (bytes + 127) / 128 * 128;
    return begin;
  };
  take(stages * TileShape::stage);
  room.head = take(Offset{TileShape::warps} * TileShape::heads * Offset{sizeof(TileChunk)});
  room.gate = take(stages * 8);
  room.tile = take(2 * (n.item + 16));  // this item and the next, with their forms
  room.partial = take(Offset{slots} * PanelShape::strip * n.entry());
  room.vector = take(vector_size * n.entry());
  room.tree = take(room.tree_size * n.entry());
  return room;
}

// The layout within `shared_memory` bytes if possible; else the smallest layout, which needs more.
inline TileSharedMemory make_tile_room(const TileNumbers& n,
                                       Offset shared_memory = most_shared_memory) {
  constexpr Index least_vector = 64, least_slots = TileShape::warps;
  const Offset entry = n.entry();
  // Two blocks fit on a multiprocessor with 228 KiB, except for the largest entries.
  Index slots = entry <= 8 ? 32 : entry <= 32 ? 16 : least_slots;
  Index vector_size = entry <= 8 ? 1024 : entry <= 32 ? 512 : 256;
  for (;;) {
    const TileSharedMemory room = lay_tile_room(n, slots, vector_size);
    if (room.bytes <= shared_memory) return room;
    if (vector_size > least_vector)
      vector_size /= 2;
    else if (slots > least_slots)
      slots /= 2;
    else
      return room;
  }
}

}  // namespace echelon
