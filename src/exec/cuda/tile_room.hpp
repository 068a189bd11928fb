// exec/cuda/tile_room.hpp -- how a block of the persistent solve divides its shared memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/tile_program.hpp"

namespace echelon {

// Bytes from the beginning of a block's shared memory; the ring of stages comes first.
struct TileRoom {
  Index stages = 0;
  Index vector_size = 0;  // right-hand sides or rows of a tile
  Index tree_size = 0;    // entries of a gathered subtree's vectors that fit
  Offset head = 0, gate = 0, partial = 0, vector = 0, carried = 0, tree = 0, bytes = 0;
};

// What `most` bytes have room for, with vectors of R right-hand sides of so many bytes each:
// vectors first, then as many stages as fit.
inline TileRoom make_tile_room(Offset most, Index right_sides, Index scalar_bytes) {
  constexpr Offset head = sizeof(TileChunk), gates = 16;
  const Offset entry = Offset{right_sides} * scalar_bytes;
  TileRoom room;
  room.vector_size = right_sides == 1 ? 2048 : 512;
  room.tree_size = right_sides == 1 ? 1024 : 256;
  const Offset partial = TileShape::slots * PanelShape::strip * entry;
  const Offset vectors =
      (room.vector_size + room.tree_size) * entry +
      (right_sides == 1 ? 3 : 1) * partial;  // and twice what rows below carry on
  // A stage always serves the same warp, which then sees its gate go through all its turns.
  const Offset rounds = (most - vectors) / (TileShape::stage + head + gates) / TileShape::warps;
  room.stages = static_cast<Index>(std::min<Offset>(rounds, 4)) * TileShape::warps;
  room.head = Offset{room.stages} * TileShape::stage;
  room.gate = room.head + room.stages * head;
  room.partial = room.gate + room.stages * gates;
  room.vector = room.partial + partial;
  room.tree = room.vector + room.vector_size * entry;
  room.carried = room.tree + room.tree_size * entry;
  room.bytes = room.carried + (right_sides == 1 ? 2 * partial : 0);
  return room;
}

}  // namespace echelon
