// echelon/plan.hpp -- what the analysis of a pattern leaves for setup and solve.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after supernode.hpp; feeds numeric.hpp and executor.hpp.
#pragma once

#include "echelon/options.hpp"
#include "echelon/supernode.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// All that a solve needs from the pattern: the order of reads and the waits.
struct Plan {
  Method method = Method::serial;
  Index threads = 1;
  Index rhs_per_pass = 16;                         // right-hand sides per pass over panels
  VectorUnit vector_unit = VectorUnit::automatic;  // for CPU kernels; automatic: the widest
  CudaOptions cuda;                                // for a plan on a GPU
  PackedPattern pattern;
  Buffer<Index> level_start;    // level methods: level l is positions [level_start[l], ..[l+1])
  Supersteps steps;             // superstep on CPU threads
  Bands bands;                  // superstep on a device
  BlockPlan blocks;             // supernodal methods
  bool there_and_back = false;  // one launch may solve with M and then with its transpose

  Offset bytes() const { return bytes_of(pattern, level_start, steps, bands, blocks); }
};

}  // namespace echelon
#pragma GCC visibility pop
