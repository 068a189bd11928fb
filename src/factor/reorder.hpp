// factor/reorder.hpp -- permutes a matrix into the order of its factorization.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/factor.hpp"

namespace echelon {

template <Scalar T>
struct Reordered {
  Csr<T> rows;               // sorted, without duplicates
  std::vector<Index> order;  // old numbers; empty: identity

  Index old_number(Index i) const { return order.empty() ? i : order[i]; }
};

// The part of the matrix to read.
enum class Half {
  both,   // all of it
  lower,  // the lower triangle of a Hermitian matrix; so is the result
};

// Throws bad_argument as check_input does, and as the orderings do.
template <Scalar T>
Reordered<T> reorder(const CsrView<T>& a, Half half, Ordering wanted);

}  // namespace echelon
