// base/cpu_mask.hpp -- the cores a thread may use, however many the machine has.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  A cpu_set_t ends at 1,024 cores, and on a machine with more the system refuses to fill it
// in.  This one has room for all that Linux can be built for, eight times over.
#pragma once

#include <array>

#include "echelon/types.hpp"

namespace echelon {

struct CpuMask {
  using Word = unsigned long;
  static constexpr int word_bits = 8 * sizeof(Word);

  std::array<Word, 65536 / word_bits> words{};  // core c is bit c % word_bits of c / word_bits

  // Of a thread by its id, 0 for the calling one; nothing where the system does not tell.
  static CpuMask of(int thread);
  // Of all threads of this process together: a program, or OpenMP for it (OMP_PROC_BIND), may have
  // bound each of its threads to a core.
  static CpuMask of_process();

  Index count() const;          // cores in it
  CpuMask only(Index k) const;  // of its cores the k-th alone; nothing if it has fewer
  CpuMask without(int core) const;
  bool bind_this_thread() const;  // false where the system refuses
};

}  // namespace echelon
