// factor/structural_rank.hpp -- tests whether the pattern alone makes a matrix singular.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon {

// A column that has no pivot for any choice of the others, or -1 if there is none.  The pattern is
// square and listed by columns.  O(n + nnz) with a full diagonal, O(n nnz) at worst.
Index find_column_without_pivot(const Pattern& a);

}  // namespace echelon
