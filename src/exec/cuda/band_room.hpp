// exec/cuda/band_room.hpp -- a chunk of a band as it lies in memory, and the shared memory of a
// block that runs bands.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/analysis.hpp"

#ifndef __CUDACC__
#define ECHELON_HOST_DEVICE
#else
#define ECHELON_HOST_DEVICE __host__ __device__
#endif

namespace echelon {

// What a chunk begins with.
struct alignas(16) BandHead {
  int rows, steps, fetches;
  int own_slot;    // of the first row, before it is taken round the ring
  int fetch_slot;  // of the first fetched, likewise
  int shape;       // lanes of a row, a power of two, and 64 times the entries of each
  unsigned slot_at, row_at, diagonal_at, fetch_at, step_end_at;  // of its parts, in bytes
  int unused;
};

// A row of it: where its right-hand side comes from and its answer goes to.
struct BandRow {
  int unknown;  // -1: a piece of a list, which has neither
  int number;   // of the answer among those handed on, or -1
};

// Where the parts of a chunk lie, in bytes.  A lane's values lie in pieces of 16 bytes, those of
// all lanes of all rows next to each other, then the second pieces, and so on; its slots lie in one
// piece, as offsets of 16 bits into the rings.  A row's entries go to its lanes in turn.
struct BandParts {
  int per_lane;  // entries, at least a piece
  unsigned slot, row, diagonal, fetch, step_end, size;
  static constexpr unsigned value = sizeof(BandHead);
  // What an offset of a slot counts in, in bytes: the largest rings then need 16 bits at most.
  static constexpr unsigned slot_unit(unsigned number_bytes) {
    return number_bytes <= 8 ? 1 : number_bytes / 8;
  }

  ECHELON_HOST_DEVICE BandParts(const BandChunk& c, unsigned number_bytes) {
    const auto up = [](unsigned a, unsigned to) { return (a + to - 1) / to * to; };
    const int piece = 16 / static_cast<int>(number_bytes);
    per_lane = c.per_lane < piece ? piece : c.per_lane;
    const auto rows = static_cast<unsigned>(c.rows);
    const auto entries = static_cast<unsigned>(c.rows * c.lanes * per_lane);
    slot = value + entries * number_bytes;
    row = up(slot + entries * 2, 8);
    diagonal = up(row + rows * 8, 16);
    fetch = diagonal + rows * number_bytes;
    step_end = fetch + static_cast<unsigned>(c.fetches) * 4;
    size = up(step_end + static_cast<unsigned>(c.steps) * 2, 16);
  }
};

// Where each chunk begins, one after the other, and the bytes of the largest.
inline Buffer<Offset> chunk_places(const Bands& bands, unsigned number_bytes, Index& largest) {
  Buffer<Offset> at(1, 0);
  for (const BandChunk& c : bands.chunks) {
    const unsigned size = BandParts(c, number_bytes).size;
    largest = std::max(largest, static_cast<Index>(size));
    at.push_back(at.back() + size);
  }
  return at;
}

// The first position of each chunk's band.
inline Buffer<Index> first_of_chunks(const Bands& bands) {
  Buffer<Index> first;
  for (Index a = 0; a < bands.count(); ++a)
    first.insert(first.end(),
                 static_cast<std::size_t>(bands.chunk_start[a + 1] - bands.chunk_start[a]),
                 bands.first[a]);
  return first;
}

// The threads of a block, by what they do: those that solve come first, then for each stage some
// that fetch and some that read for its chunks, and those that write.
struct BandRoles {
  int solvers, fetchers, readers, writers;  // the second and third of a stage
  constexpr int threads(int stages) const {
    return solvers + stages * (fetchers + readers) + writers;
  }
};
inline BandRoles make_band_roles(Index solvers) {
  return {solvers, 32, solvers <= 64 ? 32 : 64, 128};
}

// Offsets in bytes of what lies in shared memory.
struct BandRoom {
  Index stage = 0;  // bytes of the largest chunk
  Index gate = 0;   // three a stage
  Index slots = 0;  // the rings, and zero
  Index right = 0;  // right-hand sides, of all stages
  Index bytes = 0;  // of all
};
inline BandRoom make_band_room(const Bands& bands, Index stage, std::size_t number_bytes) {
  const auto up = [](std::size_t a) { return static_cast<Index>((a + 15) / 16 * 16); };
  const Index stages = BandRings::stages(number_bytes);
  BandRoom room;
  room.stage = stage;
  room.gate = stages * stage;
  room.slots = room.gate + up(3 * static_cast<std::size_t>(stages) * 8);
  room.right = room.slots + up(static_cast<std::size_t>(bands.rings.slots()) * number_bytes);
  room.bytes = room.right + stages * up(static_cast<std::size_t>(bands.most_rows) * number_bytes);
  return room;
}

}  // namespace echelon
