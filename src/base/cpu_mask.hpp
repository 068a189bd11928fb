// base/cpu_mask.hpp -- CPU affinity masks for any number of cores.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  A cpu_set_t holds 1,024 cores; on a machine with more, sched_getaffinity fails.  This mask
// has eight times the size of the largest Linux configuration.
#pragma once

#include <array>

#include "echelon/types.hpp"

namespace echelon {

struct CpuMask {
  using Word = unsigned long;
  static constexpr int word_bits = 8 * sizeof(Word);

  std::array<Word, 65536 / word_bits> words{};  // core c is bit c % word_bits of c / word_bits

  // The mask of a thread by its id, 0 for the calling thread; empty if the system call fails.
  static CpuMask of(int thread);
  // The union over all threads of this process: a program, or OpenMP (OMP_PROC_BIND), may have
  // bound each of its threads to one core.
  static CpuMask of_process();

  Index count() const;          // number of cores
  CpuMask only(Index k) const;  // the k-th core of the mask only; empty if the mask has fewer
  CpuMask without(int core) const;
  bool bind_this_thread() const;  // false if the system call fails
};

}  // namespace echelon
