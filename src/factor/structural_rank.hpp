// factor/structural_rank.hpp -- whether a matrix is singular by its pattern alone.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon {

// A column that no choice of pivots can serve, or -1 if there is none.  The pattern is listed by
// columns and square.  O(n + nnz) where the diagonal is full, O(n nnz) at the very worst.
Index find_column_without_pivot(const Pattern& a);

}  // namespace echelon
