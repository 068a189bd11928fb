// echelon/numeric.hpp -- the values of a triangle, laid out as its packed pattern is.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after analysis.hpp; feeds executor.hpp.  Never changes a pattern.
#pragma once

#include <span>

#include "echelon/analysis.hpp"

namespace echelon {

// What the diagonal array of a packed triangle holds.
enum class DiagonalForm {
  unit,        // nothing: every entry is 1
  reciprocal,  // 1/d, so that a solve multiplies
  plain,       // d itself: some 1/d would overflow or lose digits, so a solve divides
};

template <Scalar T>
struct PackedValues {
  Buffer<T> value;     // one for each packed entry
  Buffer<T> diagonal;  // the k-th, in the form said below
  DiagonalForm form = DiagonalForm::unit;
};

// Fetches the stored values into packed order; conjugates them if asked.  Called again with
// new values it allocates nothing.  O(n + nnz), on `threads` threads (0: all).
// Throws zero_diagonal (exactly zero) or not_finite (NaN, infinity) with the row, and
// bad_argument if there are not `stored` values; what was packed before is lost then.
template <Scalar T>
void pack_values(const PackedPattern& pattern, std::span<const T> stored, Offset stored_count,
                 bool conjugated, PackedValues<T>& out, Index threads = 0);

}  // namespace echelon
