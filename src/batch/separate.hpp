// batch/separate.hpp -- a batch as systems with a Solver each, solved one after the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/batch_executor.hpp"
#include "echelon/solver.hpp"

namespace echelon {

// On CPU threads.  `t`: the pattern that was analyzed; its arrays are copied.
template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_separate_batch(const Analysis& analysis,
                                                      const TrianglePattern& t, Index count);

}  // namespace echelon
