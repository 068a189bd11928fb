// exec/cuda/tile_room.hpp -- how a block of the persistent solve divides its shared memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/tile_program.hpp"

namespace echelon {

// Bytes from the beginning of a block's shared memory; the ring of stages comes first.
struct TileRoom {
  Index slots = 0;        // sums of 32 rows or columns
  Index vector_size = 0;  // right-hand sides or rows of a tile
  Index tree_size = 0;    // entries of a gathered subtree's vectors that fit
  Offset head = 0, gate = 0, tile = 0, partial = 0, vector = 0, tree = 0, bytes = 0;
};

// For vectors of so many right-hand sides, of so many bytes each; an item has `item_bytes`.
inline TileRoom make_tile_room(Index right_sides, Index scalar_bytes,
                               Offset item_bytes = sizeof(TileItem)) {
  const Offset entry = Offset{right_sides} * scalar_bytes;
  const Offset stages = TileShape::stages(right_sides);
  TileRoom room;
  // Two blocks share a multiprocessor, but for the longest vectors.
  room.slots = entry <= 8 ? 32 : entry <= 32 ? 16 : TileShape::warps;
  room.vector_size = entry <= 8 ? 1024 : entry <= 32 ? 512 : 256;
  room.tree_size = static_cast<Index>(8192 / entry);
  const Offset slots = room.slots * PanelShape::strip * entry;
  const auto take = [&](Offset bytes) {
    const Offset begin = room.bytes;
    room.bytes += (bytes + 127) / 128 * 128;
    return begin;
  };
  take(stages * TileShape::stage);
  room.head = take(TileShape::warps * TileShape::heads * sizeof(TileChunk));
  room.gate = take(stages * 8);
  room.tile = take(2 * (item_bytes + 16));  // this one and the next, and their forms
  room.partial = take(slots);
  room.vector = take(room.vector_size * entry);
  room.tree = take(room.tree_size * entry);
  return room;
}

}  // namespace echelon
