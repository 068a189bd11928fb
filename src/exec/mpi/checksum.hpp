// exec/mpi/checksum.hpp -- how a receiver knows that all of a message has come.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why it cannot be fooled.  It is taken over bits, so NaN and zero are numbers like others.  Every
// word goes through its place in a chain of multiplications, so words that change places count.
// The chain begins with the number of the pass, which is never used again: what an earlier pass
// left in the same memory, even a whole message with the same numbers, has another sum.  A message
// half there is half old bits: either these are the same as the new ones, then nothing is wrong,
// or the sum differs but for one case in 2^64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace echelon {

inline std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

// Of so many words; `pass` is that of a message, counted from the solver's first.  Four chains at a
// time, since a multiplication takes as long as four.
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
