// exec/cuda/bands/band_source.cuh -- device code that packs values into the chunks of bands.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/bands/band_shared_memory.hpp"
#include "exec/cuda/runtime/device_offsets.cuh"
#include "exec/cuda/runtime/device_scalar.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct BandSource {
  const BandChunk* chunks;
  const Index* band_first;  // per chunk: the first position of its band
  const Index* order;
  DeviceOffsets start;
  const std::uint16_t* slot;
  const std::uint16_t* step_end;
  const Index* fetch;
  const Index* number;
  const T* value;
  const T* diagonal;  // null: unit diagonal
  bool divides;       // else it is the reciprocal, and values are multiplied with it
  BandRings rings;
  const Offset* chunk_at;  // offset of each chunk in `out`
  char* out;

  // Packs one thread's part of chunk k.
  __device__ void lay_out(Index k, int thread, int threads) const {
    const BandChunk c = chunks[k];
    char* const to = out + chunk_at[k];
    const BandParts p(c, sizeof(T));
    const int own_slot = c.first - band_first[k];
    const int per_lane = p.per_lane;
    if (thread == 0)
      *reinterpret_cast<BandHead*>(to) = {
          c.rows, c.steps, c.fetches,  own_slot, c.fetch_slot, c.lanes + 64 * per_lane,
          p.slot, p.row,   p.diagonal, p.fetch,  p.step_end,   0};
    constexpr int piece = 16 / static_cast<int>(sizeof(T));
    for (int e = thread; e < c.rows * c.lanes * per_lane; e += threads) {
      const int place = e / per_lane, in_lane = e % per_lane;  // lane, and entry in the lane
      const Entry entry =
          find_entry(c, own_slot, place / c.lanes, in_lane * c.lanes + place % c.lanes);
      reinterpret_cast<T*>(
          to + p.value)[(in_lane / piece * c.rows * c.lanes + place) * piece + in_lane % piece] =
          entry.value;
      reinterpret_cast<std::uint16_t*>(to + p.slot)[e] =
          static_cast<std::uint16_t>(entry.slot * (sizeof(T) / BandParts::slot_unit(sizeof(T))));
    }
    for (int r = thread; r < c.rows; r += threads) {
      const Index at = c.first + r;
      reinterpret_cast<T*>(to + p.diagonal)[r] =
          c.ends && diagonal != nullptr ? diagonal[at] : one_of(T{});
      reinterpret_cast<BandRow*>(to + p.row)[r] =
          c.ends ? BandRow{order[at], number[at]} : BandRow{-1, -1};
    }
    for (int f = thread; f < c.fetches; f += threads)
      reinterpret_cast<Index*>(to + p.fetch)[f] = fetch[c.fetch + f];
    for (int l = thread; l < c.steps; l += threads)
      reinterpret_cast<std::uint16_t*>(to + p.step_end)[l] = step_end[c.step + l];
  }

 private:
  struct Entry {
    T value;
    int slot;
  };
  // Entry e of row r: an entry of its list, the partial sum of the list's previous piece, or none.
  __device__ Entry find_entry(const BandChunk& c, int own_slot, int r, int e) const {
    if (c.continues && e == 0) return {-one_of(T{}), own_slot & (rings.own - 1)};
    const Index k = c.first + r;
    const Offset at = max(start[k], c.begin) + e - c.continues;
    if (at >= min(start[k + 1], c.end)) return {zero_of(T{}), rings.own + rings.fetched};
    const T a = value[at];
    return {diagonal != nullptr && !divides ? a * diagonal[k] : a, slot[at]};
  }
};

}  // namespace echelon
