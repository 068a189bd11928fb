// distributed/checksum.hpp -- the checksum by which a receiver detects that a message is complete.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why it is safe.  It covers the bits, so NaN and zero are values like all others.  Every word
// enters a chain of multiplications at its position, so swapped words change the sum.  The chain
// begins with the number of the pass, which is never reused: the remains of an earlier pass in the
// same memory, even a whole message with the same numbers, have a different sum.  A message that
// has partly arrived contains some old bits: either they equal the new ones, and nothing is wrong,
// or the sum differs, except in one case in 2^64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace echelon {

inline std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

// Checksum of `count` words; `pass` is the number of the pass since the solver was made.  Four
// interleaved chains hide the latency of the multiplication.
inline std::uint64_t checksum(std::uint64_t pass, const std::uint64_t* words, std::size_t count) {
  std::uint64_t h[4];
  for (std::uint64_t k = 0; k < 4; ++k) h[k] = mix(0x2545f4914f6cdd1du + k, pass);
  const std::uint64_t* const end = words + count;
  for (; end - words >= 4; words += 4)
    for (int k = 0; k < 4; ++k) h[k] = mix(h[k], words[k]);
  for (int k = 0; words < end; ++k) h[k] = mix(h[k], *words++);
  return mix(mix(mix(mix(count, h[0]), h[1]), h[2]), h[3]);
}

}  // namespace echelon
