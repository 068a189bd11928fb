// batch/batch_plan.hpp -- the plan of a batch from the pattern of one of its triangles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/batch_executor.hpp"

namespace echelon {

// Rows in the order of the plain sweep, or level by level.
enum class BatchOrder { sweep, levels };

// Throws as find_dependency_graph does, and bad_argument for 2^31 entries or more.  O(n + nnz).
BatchPlan make_batch_plan(const TrianglePattern& t, bool conjugated, BatchOrder order,
                          Index threads);

}  // namespace echelon
