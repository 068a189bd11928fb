// exec/cuda/bands/band_shared_memory.hpp -- the memory layout of a chunk of a band, and the shared
// memory layout of a block that runs bands.
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

// The header of a chunk.
struct alignas(16) BandHead {
  int rows, steps, fetches;
  int own_slot;    // of the first row, before the wrap-around in its ring
  int fetch_slot;  // of the first fetched answer, likewise
  int shape;       // lanes per row, a power of two, plus 64 times the entries per lane
  unsigned slot_at, row_at, diagonal_at, fetch_at, step_end_at;  // byte offsets of its parts
  int unused;
};

// A row of a chunk: where its right-hand side comes from and where its answer goes.
struct BandRow {
  int unknown;  // -1: a piece of a long list, which has neither
  int number;   // of the published answer, or -1
};

// Byte offsets of the parts of a chunk.  The values of a lane come in pieces of 16 bytes: first the
// first pieces of all lanes of all rows, then the second pieces, and so on.  The slots of a lane
// are contiguous, as 16-bit offsets into the rings.  The entries of a row go to its lanes in turn.
struct BandParts {
  int per_lane;  // entries, at least one piece
  unsigned slot, row, diagonal, fetch, step_end, size;
  static constexpr unsigned value = sizeof(BandHead);
  // The unit of a slot offset in bytes, chosen so that 16 bits suffice for the largest rings.
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

// Offset of each chunk in memory, one after the other; `largest`: bytes of the largest chunk.
inline Buffer<Offset> chunk_places(const Bands& bands, unsigned number_bytes, Index& largest) {
  Buffer<Offset> at(1, 0);
  for (const BandChunk& c : bands.chunks) {
    const unsigned size = BandParts(c, number_bytes).size;
    largest = std::max(largest, static_cast<Index>(size));
    at.push_back(at.back() + size);
  }
  return at;
}

// For each chunk, the first position of its band.
inline Buffer<Index> first_of_chunks(const Bands& bands) {
  Buffer<Index> first;
  for (Index a = 0; a < bands.count(); ++a)
    first.insert(first.end(),
                 static_cast<std::size_t>(bands.chunk_start[a + 1] - bands.chunk_start[a]),
                 bands.first[a]);
  return first;
}

// The threads of a block by role, in this order: solvers; then per stage the fetchers of its
// chunks; then per stage the readers; then the writers.
struct BandRoles {
  int solvers, fetchers, readers, writers;  // fetchers and readers: per stage
  constexpr int threads(int stages) const {
    return solvers + stages * (fetchers + readers) + writers;
  }
};
inline BandRoles make_band_roles(Index solvers) {
  return {solvers, 32, solvers <= 64 ? 32 : 64, 128};
}

// Byte offsets in shared memory.
struct BandSharedMemory {
  Index stage = 0;  // bytes of the largest chunk
  Index gate = 0;   // three per stage
  Index slots = 0;  // both rings, and the zero slot
  Index right = 0;  // right-hand sides, for all stages
  Index bytes = 0;  // total
};
inline BandSharedMemory make_band_room(const Bands& bands, Index stage, std::size_t number_bytes) {
  const auto up = [](std::size_t a) { return static_cast<Index>((a + 15) / 16 * 16); };
  const Index stages = BandRings::stages(number_bytes);
  BandSharedMemory room;
  room.stage = stage;
  room.gate = stages * stage;
  room.slots = room.gate + up(3 * static_cast<std::size_t>(stages) * 8);
  room.right = room.slots + up(static_cast<std::size_t>(bands.rings.slots()) * number_bytes);
  room.bytes = room.right + stages * up(static_cast<std::size_t>(bands.most_rows) * number_bytes);
  return room;
}

}  // namespace echelon
