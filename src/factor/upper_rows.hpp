// factor/upper_rows.hpp -- the rows of SuperLU's U, gathered from its two stores.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "echelon/factor.hpp"

namespace echelon {

// U's columns without what lies in the diagonal blocks, as SuperLU keeps them: rows in any order.
template <Scalar T>
struct UpperColumns {
  std::span<const int> start;  // size n+1
  std::span<const int> row;
  std::span<const T> value;
};

// The rows of U, sorted, as the columns of its transpose: the upper halves of the panels' diagonal
// blocks, then the columns.  Zeros are dropped, but for the diagonal.  Throws bad_argument if a
// column has a row that does not lie above its panel.
template <Scalar T>
Csc<T> gather_upper_rows(const Panels<T>& panels, const UpperColumns<T>& columns, Index threads);

}  // namespace echelon
