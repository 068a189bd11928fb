// factor/reorder.hpp -- a matrix with its rows and columns in the order of its factorization.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/factor.hpp"

namespace echelon {

template <Scalar T>
struct Reordered {
  Csr<T> rows;               // sorted, each entry once
  std::vector<Index> order;  // old numbers; empty: as they were

  Index old_number(Index i) const { return order.empty() ? i : order[i]; }
};

// What to read of the matrix.
enum class Half {
  both,   // all of it
  lower,  // the lower triangle of a Hermitian matrix; so is the result
};

// Throws bad_argument as check_input does, and as the orderings do.
template <Scalar T>
Reordered<T> reorder(const CsrView<T>& a, Half half, Ordering wanted);

}  // namespace echelon
