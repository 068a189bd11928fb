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
  int lanes;       // threads of a row, a power of two
  int per_lane;    // entries of each
  int unused;
};

// A row of it: where its right-hand side comes from and its answer goes to.
struct BandRow {
  int unknown;  // -1: a piece of a list, which has neither
  int number;   // of the answer among those handed on, or -1
};

// Where the parts of a chunk lie, in bytes.  A lane's values lie in pieces of 16 bytes, those of
// all lanes of all rows next to each other, then the second pieces, and so on; its slots lie in one
// piece, as offsets in bytes.  A row's entries go to its lanes in turn.
struct BandParts {
  unsigned value, slot, row, diagonal, fetch, step_end, size;

  ECHELON_HOST_DEVICE BandParts(int rows, int steps, int fetches, int lanes, int per_lane,
                                unsigned number_bytes)
      : value(sizeof(BandHead)),
        slot(value + static_cast<unsigned>(rows * lanes * per_lane) * number_bytes),
        row((slot + static_cast<unsigned>(rows * lanes * per_lane) * 2 + 7) / 8 * 8),
        diagonal((row + static_cast<unsigned>(rows) * 8 + 15) / 16 * 16),
        fetch(diagonal + static_cast<unsigned>(rows) * number_bytes),
        step_end(fetch + static_cast<unsigned>(fetches) * 4),
        size((step_end + static_cast<unsigned>(steps) * 2 + 15) / 16 * 16) {}
  ECHELON_HOST_DEVICE BandParts(const BandChunk& c, unsigned number_bytes)
      : BandParts(c.rows, c.steps, c.fetches, c.lanes, entries_of(c.per_lane, number_bytes),
                  number_bytes) {}
  ECHELON_HOST_DEVICE BandParts(const BandHead& h, unsigned number_bytes)
      : BandParts(h.rows, h.steps, h.fetches, h.lanes, h.per_lane, number_bytes) {}

  // At least a piece.
  ECHELON_HOST_DEVICE static int entries_of(int per_lane, unsigned number_bytes) {
    const int piece = 16 / static_cast<int>(number_bytes);
    return per_lane < piece ? piece : per_lane;
  }
};

// The threads of a block, by what they do: those that solve come first, then a warp for each stage
// that fetches for its chunks, a warp for each stage that reads, and those that write.
struct BandRoles {
  int solvers = 0, writers = 64;
  static constexpr int fetchers = 32 * BandRings::chunks, readers = 32 * BandRings::chunks;
  ECHELON_HOST_DEVICE int threads() const { return solvers + fetchers + readers + writers; }
};

// Offsets in bytes of what lies in shared memory.
struct BandRoom {
  static constexpr Index stages = BandRings::chunks;  // under way or at work

  Index stage = 0;  // bytes of the largest chunk
  Index gate = 0;   // three a stage
  Index slots = 0;  // the rings, and zero
  Index right = 0;  // right-hand sides, of all stages
  Index bytes = 0;  // of all
};
inline BandRoom make_band_room(const Bands& bands, Index stage, std::size_t number_bytes) {
  const auto up = [](std::size_t a) { return static_cast<Index>((a + 15) / 16 * 16); };
  BandRoom room;
  room.stage = stage;
  room.gate = BandRoom::stages * stage;
  room.slots = room.gate + up(3 * BandRoom::stages * 8);
  room.right = room.slots + up(static_cast<std::size_t>(bands.rings.slots()) * number_bytes);
  room.bytes =
      room.right + BandRoom::stages * up(static_cast<std::size_t>(bands.most_rows) * number_bytes);
  return room;
}

}  // namespace echelon
