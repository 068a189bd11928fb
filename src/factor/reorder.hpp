// factor/reorder.hpp -- permutes a matrix into the order of its factorization.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/factor.hpp"
#include "factor/input.hpp"

namespace echelon {

template <Scalar T>
struct Reordered {
  Csr<T> rows;               // sorted, without duplicates
  std::vector<Index> order;  // old numbers; empty: identity
  Ordering used;             // never automatic

  Index old_number(Index i) const { return order.empty() ? i : order[i]; }
};

// The result has the same half.  Throws what SortedInput and the orderings throw.
template <Scalar T>
Reordered<T> reorder(const MatrixView<T>& a, Half half, Ordering wanted);

}  // namespace echelon
