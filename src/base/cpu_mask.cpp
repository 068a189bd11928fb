// base/cpu_mask.cpp -- masks of cores from the system, and back to it.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu_mask.hpp"

#include <sched.h>

#include <bit>

namespace echelon {

CpuMask CpuMask::of(int thread) {
  CpuMask mask;
  if (sched_getaffinity(thread, sizeof mask.words,
                        reinterpret_cast<cpu_set_t*>(mask.words.data())) != 0)
    return {};
  return mask;
}

Index CpuMask::count() const {
  Index sum = 0;
  for (const Word word : words) sum += std::popcount(word);
  return sum;
}

CpuMask CpuMask::only(Index k) const {
  CpuMask one;
  for (std::size_t w = 0; w < words.size(); ++w)
    for (Word left = words[w]; left != 0; left &= left - 1)
      if (k-- == 0) {
        one.words[w] = left & -left;
        return one;
      }
  return one;
}

CpuMask CpuMask::without(int core) const {
  CpuMask rest = *this;
  rest.words[core / word_bits] &= ~(Word{1} << (core % word_bits));
  return rest;
}

bool CpuMask::bind_this_thread() const {
  return sched_setaffinity(0, sizeof words, reinterpret_cast<const cpu_set_t*>(words.data())) == 0;
}

}  // namespace echelon
