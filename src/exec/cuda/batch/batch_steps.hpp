// exec/cuda/batch/batch_steps.hpp -- which rows of a batch a warp solves together, and how many
// systems side by side.
// SPDX-License-Identifier: BSD-3-Clause
//
// No device code: a header of its own for tests.
#pragma once

#include <algorithm>

#include "echelon/batch_executor.hpp"

namespace echelon {

// The first row of each step, and n four times, since a kernel reads ahead.  A step is one row for
// all slots, or up to `slots` rows of a level, at most `most_entries` long together.  Costs in
// cycles of an H200: an entry takes 20, a row 100 and every halving of the sum over slots 50.
inline Buffer<Index> find_batch_steps(const BatchPlan& plan, Index slots, Index most_entries) {
  Index halvings = 0;
  while (Index{1} << halvings < slots) ++halvings;
  const auto length = [&](Index k) { return plan.start[k + 1] - plan.start[k]; };
  const auto alone = [&](Index k) { return 100 + 50 * halvings + 20 * (length(k) / slots + 1); };
  Buffer<Index> step;
  for (std::size_t l = 0; l + 1 < plan.level.size(); ++l)
    for (Index k = plan.level[l]; k < plan.level[l + 1];) {
      step.push_back(k);
      Index rows = std::min(slots, plan.level[l + 1] - k), longest = 0;
      while (rows > 1 && plan.start[k + rows] - plan.start[k] > most_entries) --rows;
      Offset one_by_one = 0;
      for (Index r = 0; r < rows; ++r) {
        longest = std::max(longest, length(k + r));
        one_by_one += alone(k + r);
      }
      k += rows > 1 && 100 + 20 * Offset{longest} < one_by_one ? rows : 1;
    }
  step.insert(step.end(), 4, plan.n);
  return step;
}

// Systems per warp: as many as let several thread blocks share the shared memory of a
// multiprocessor, 0 if not even one fits, whose vectors then stay where they are.
inline Index choose_batch_width(Index n, Index count, Offset number_bytes, Offset shared) {
  const auto bytes = [&](Index width) { return Offset{n} * width * number_bytes; };
  Index width = 8;
  while (width > 1 && bytes(width) > shared / 4) width /= 2;
  constexpr Index enough = 4096;  // warps
  while (width >= 8 && width < 32 && bytes(2 * width) <= shared / 16 &&
         count / (2 * width) >= enough)
    width *= 2;
  return width;
}

}  // namespace echelon
