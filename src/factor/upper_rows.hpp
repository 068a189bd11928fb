// factor/upper_rows.hpp -- gathers the rows of SuperLU's U from its panels and its columns.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "echelon/factor.hpp"

namespace echelon {

// The columns of U outside the diagonal blocks, as SuperLU stores them: rows in any order.
template <Scalar T>
struct UpperColumns {
  std::span<const int> start;  // size n+1
  std::span<const int> row;
  std::span<const T> value;
};

// The rows of U, sorted, as the columns of its transpose: first the upper halves of the panels'
// diagonal blocks, then the columns.  Zeros are dropped, except on the diagonal.  Throws
// bad_argument if a column has a row that is not above its panel.
template <Scalar T>
Csc<T> gather_upper_rows(const Panels<T>& panels, const UpperColumns<T>& columns, Index threads);

}  // namespace echelon
