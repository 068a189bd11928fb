// exec/cuda/band_room.hpp -- a chunk of a band as it lies in memory, and the shared memory of a
// block that runs bands.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/analysis.hpp"

#ifndef __CUDACC__
#define ECHELON_HOST_DEVICE
#else
#define ECHELON_HOST_DEVICE __host__ __device__
#endif

namespace echelon {

// What a chunk begins with.
struct alignas(16) BandHead {
  int rows, levels, fetches;
  int own_slot;    // of the first row, before it is taken round the ring
  int fetch_slot;  // of the first fetched
  int lanes;       // threads of a row, a power of two
  int per_lane;    // entries of each
  int unused;
};

// A row of it: where its right-hand side comes from and its answer goes to.
struct BandRow {
  int unknown;  // -1: a piece of a list, which has neither
  int number;   // of the answer among those handed on, or -1
};

// Where the parts of a chunk lie, in bytes.  Entry e of row r is that of lane e % lanes, and comes
// at ((e / lanes) rows + r) lanes + e % lanes.
struct BandParts {
  unsigned diagonal, value, row, fetch, level_end, slot, size;

  ECHELON_HOST_DEVICE BandParts(int rows, int levels, int fetches, int entries,
                                unsigned number_bytes)
      : diagonal(sizeof(BandHead)),
        value(diagonal + static_cast<unsigned>(rows) * number_bytes),
        row((value + static_cast<unsigned>(entries) * number_bytes + 7) / 8 * 8),
        fetch(row + static_cast<unsigned>(rows) * static_cast<unsigned>(sizeof(BandRow))),
        level_end(fetch + static_cast<unsigned>(fetches) * 4),
        slot(level_end + static_cast<unsigned>(levels) * 2),
        size((slot + static_cast<unsigned>(entries) * 2 + 15) / 16 * 16) {}
  ECHELON_HOST_DEVICE BandParts(const BandChunk& c, unsigned number_bytes)
      : BandParts(c.rows, c.levels, c.fetches, c.rows * c.lanes * c.per_lane, number_bytes) {}
  ECHELON_HOST_DEVICE BandParts(const BandHead& h, unsigned number_bytes)
      : BandParts(h.rows, h.levels, h.fetches, h.rows * h.lanes * h.per_lane, number_bytes) {}
};

// Offsets in bytes of what lies in shared memory.
struct BandRoom {
  static constexpr Index stages = 4;  // chunks under way or at work
  static constexpr Index most_ahead = 4;

  Index stage = 0;  // bytes of the largest chunk
  Index gate = 0;   // [stages]
  Index slots = 0;  // the rings, and zero
  Index right = 0;  // right-hand sides of this chunk and the next
  Index bytes = 0;  // of all
};
inline BandRoom make_band_room(const Bands& bands, Index stage, std::size_t number_bytes) {
  const auto up = [](std::size_t a) { return static_cast<Index>((a + 15) / 16 * 16); };
  BandRoom room;
  room.stage = stage;
  room.gate = BandRoom::stages * stage;
  room.slots = room.gate + up(BandRoom::stages * 8);
  room.right = room.slots + up(static_cast<std::size_t>(bands.rings.slots()) * number_bytes);
  room.bytes = room.right + 2 * up(static_cast<std::size_t>(bands.most_rows) * number_bytes);
  return room;
}

}  // namespace echelon
