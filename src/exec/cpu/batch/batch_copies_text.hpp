// exec/cpu/batch/batch_copies_text.hpp -- vectors of systems into lines and back, by transposing
// squares in registers.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  As many numbers of as many systems as a vector of the unit has lanes are a square; it is
// transposed in as many rounds as its side has bits.  A complex vector is one of twice as many real
// numbers, whose lines come out as real parts, imaginary parts and so on: as a group has them.
#pragma once

#include <utility>

#include "base/unit_vectors.hpp"
#include "exec/cpu/batch/batch_kernels.hpp"

namespace echelon {
namespace {

// The lanes of a (turned: b) whose number has no bit `apart`, and in between those of b (a) that
// belong to the transposed square.
template <int apart, bool upper, class V, int... lane>
ECHELON_INLINE V exchange_lanes(V a, V b, std::integer_sequence<int, lane...>) {
  constexpr int lanes = sizeof...(lane);
  if constexpr (upper)
    return __builtin_shufflevector(a, b, ((lane & apart) == 0 ? lane + apart : lane + lanes)...);
  else
    return __builtin_shufflevector(a, b, ((lane & apart) == 0 ? lane : lane + lanes - apart)...);
}
template <int apart, class V, int lanes>
ECHELON_INLINE void transpose_round(V (&v)[lanes]) {
  using Lanes = std::make_integer_sequence<int, lanes>;
  for (int k = 0; k < lanes; ++k) {
    if ((k & apart) != 0) continue;
    const V a = v[k], b = v[k + apart];
    v[k] = exchange_lanes<apart, false>(a, b, Lanes());
    v[k + apart] = exchange_lanes<apart, true>(a, b, Lanes());
  }
}
template <class V, int lanes>
ECHELON_INLINE void transpose_square(V (&v)[lanes]) {
  if constexpr (lanes > 1) transpose_round<1>(v);
  if constexpr (lanes > 2) transpose_round<2>(v);
  if constexpr (lanes > 4) transpose_round<4>(v);
  if constexpr (lanes > 8) transpose_round<8>(v);
}

template <class R>
ECHELON_INLINE R* line_of(const BatchLines<R>& to, Index q) {
  return to.data + (q >> to.plane_bits) * to.row + (q & to.plane_bits) * batch_lanes<R>;
}

template <class R>
void copy_to_lines(const R* b, Offset apart, Index count, const BatchLines<R>& to) {
  constexpr int lanes = unit_bytes / static_cast<int>(sizeof(R));
  Index q = 0;
  for (; q + lanes <= count; q += lanes)
    for (int first = 0; first < batch_lanes<R>; first += lanes) {
      VectorWith<R, lanes> v[lanes];
      for (int k = 0; k < lanes; ++k) v[k] = load_vector<R, R, lanes>(b + (first + k) * apart + q);
      transpose_square(v);
      for (int k = 0; k < lanes; ++k) store_vector(line_of(to, q + k) + first, v[k]);
    }
  for (; q < count; ++q)
    for (int lane = 0; lane < batch_lanes<R>; ++lane) line_of(to, q)[lane] = b[lane * apart + q];
}

// probe: per lane, NaN if one of its numbers is not finite.
template <class R>
void copy_from_lines(const BatchLines<R>& from, Index count, R* x, Offset apart, R* probe) {
  constexpr int lanes = unit_bytes / static_cast<int>(sizeof(R));
  for (int first = 0; first < batch_lanes<R>; first += lanes) {
    VectorWith<R, lanes> sum = {};
    Index q = 0;
    for (; q + lanes <= count; q += lanes) {
      VectorWith<R, lanes> v[lanes];
      for (int k = 0; k < lanes; ++k) {
        v[k] = load_vector<R, R, lanes>(line_of(from, q + k) + first);
        sum += v[k] * R(0);
      }
      transpose_square(v);
      for (int k = 0; k < lanes; ++k) store_vector(x + (first + k) * apart + q, v[k]);
    }
    for (; q < count; ++q) {
      const R* const line = line_of(from, q) + first;
      sum += load_vector<R, R, lanes>(line) * R(0);
      for (int k = 0; k < lanes; ++k) x[(first + k) * apart + q] = line[k];
    }
    store_vector(probe + first, sum);
  }
}

}  // namespace
}  // namespace echelon
