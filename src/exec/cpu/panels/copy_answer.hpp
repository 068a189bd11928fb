// exec/cpu/panels/copy_answer.hpp -- copies answers, ordered by position, to the caller's vectors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "base/number.hpp"
#include "echelon/executor.hpp"

namespace echelon {

// Copies positions [begin, end) of vectors column to column+count-1.  Returns NaN if any answer is
// not finite.
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
