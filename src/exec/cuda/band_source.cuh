// exec/cuda/band_source.cuh -- what the chunks of bands are laid out from, and how.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/band_room.hpp"
#include "exec/cuda/device_offsets.cuh"
#include "exec/cuda/device_scalar.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct BandSource {
  const BandChunk* chunks;
  const Index* band_first;  // of each chunk, the first position of its band
  const Index* order;
  DeviceOffsets start;
  const std::uint16_t* slot;
  const std::uint16_t* level_end;
  const Index* fetch;
  const Index* number;
  const T* value;
  const T* diagonal;  // null: it is unit
  BandRings rings;
  const Offset* chunk_at;  // where each goes
  char* out;

  // One thread's part of chunk k.
  __device__ void lay_out(Index k, int thread, int threads) const {
    const BandChunk c = chunks[k];
    char* const to = out + chunk_at[k];
    const BandParts p(c, sizeof(T));
    const int own_slot = c.first - band_first[k];
    if (thread == 0)
      *reinterpret_cast<BandHead*>(to) = {c.rows,       c.levels, c.fetches,  own_slot,
                                          c.fetch_slot, c.lanes,  c.per_lane, 0};
    for (int e = thread; e < c.rows * c.lanes * c.per_lane; e += threads)
      put_entry(c, own_slot, e, reinterpret_cast<T*>(to + p.value) + e,
                reinterpret_cast<std::uint16_t*>(to + p.slot) + e);
    for (int r = thread; r < c.rows; r += threads) {
      const Index at = c.first + r;
      reinterpret_cast<T*>(to + p.diagonal)[r] =
          c.ends && diagonal != nullptr ? diagonal[at] : one_of(T{});
      reinterpret_cast<BandRow*>(to + p.row)[r] =
          c.ends ? BandRow{order[at], number[at]} : BandRow{-1, -1};
    }
    for (int f = thread; f < c.fetches; f += threads)
      reinterpret_cast<Index*>(to + p.fetch)[f] = fetch[c.fetch + f];
    for (int l = thread; l < c.levels; l += threads)
      reinterpret_cast<std::uint16_t*>(to + p.level_end)[l] = level_end[c.level + l];
  }

 private:
  // Place e of the chunk's entries: one of a row, what the row's last piece has left, or none.
  __device__ void put_entry(const BandChunk& c, int own_slot, int e, T* to_value,
                            std::uint16_t* to_slot) const {
    const int lane = e % c.lanes, r = e / c.lanes % c.rows;
    const int of_row = e / (c.lanes * c.rows) * c.lanes + lane;
    const Offset from = max(start[c.first + r], c.begin), at = from + of_row - c.continues;
    const bool left = c.continues && of_row == 0;
    const bool there = !left && at < min(start[c.first + r + 1], c.end);
    *to_value = left ? -one_of(T{}) : there ? value[at] : zero_of(T{});
    *to_slot = static_cast<std::uint16_t>(left    ? own_slot & (rings.own - 1)
                                          : there ? slot[at]
                                                  : rings.own + rings.fetched);
  }
};

}  // namespace echelon
