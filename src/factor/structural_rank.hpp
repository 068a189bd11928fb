// factor/structural_rank.hpp -- tests whether the pattern alone makes a matrix singular.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

// A column that has no pivot for any choice of the others, or -1 if there is none.  The pattern is
// square and listed by columns.  O(n + nnz) with a full diagonal, O(n nnz) at worst.
Index find_column_without_pivot(const Pattern& a);

// For each column a row of its own, or -1: as many columns as possible have one.  A column takes
// the first free row of its list, if there is one.
std::vector<Index> match_rows(const Pattern& a);

}  // namespace echelon
