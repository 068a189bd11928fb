// base/cpu_mask.cpp -- reads and sets the CPU affinity masks of threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu_mask.hpp"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>

namespace echelon {

CpuMask CpuMask::of(int thread) {
  CpuMask mask;
  if (sched_getaffinity(thread, sizeof mask.words,
                        reinterpret_cast<cpu_set_t*>(mask.words.data())) != 0)
    return {};
  return mask;
}

CpuMask CpuMask::of_process() {
  CpuMask all = of(getpid());
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return all;
  while (const dirent* const entry = readdir(threads)) {
    const int thread = std::atoi(entry->d_name);
    if (thread <= 0) continue;  // "." and ".."
    const CpuMask one = of(thread);
    for (std::size_t w = 0; w < all.words.size(); ++w) all.words[w] |= one.words[w];
  }
  closedir(threads);
  return all;
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
