// exec/cpu/copy_answer.hpp -- answers by position to where the caller wants them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "base/conjugate.hpp"
#include "echelon/executor.hpp"

namespace echelon {

// Positions [begin, end) of vectors column to column+count-1.  Returns a number that is NaN if one
// of them is not finite.
template <Scalar T>
Real<T> copy_answer(const SolveJob<T>& job, const T* answer, Index column, Index count,
                    Offset begin, Offset end) {
  const BlockPlan& plan = job.plan.blocks;
  T probe{};
  for (Index v = 0; v < count; ++v) {
    T* const x = job.x.data + (column + v) * job.x.stride();
    const T* const a = answer + Offset{v} * plan.n;
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      x[plan.unknown(k) * job.x.step()] = conjugate_if(job.op == Op::conjugate, a[k]);
      probe += a[k] * Real<T>(0);
    }
  }
  return std::abs(probe);
}

}  // namespace echelon
