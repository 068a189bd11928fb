// factor/input.hpp -- the matrix to be factored: checked at the door, sorted, each entry once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

// Throws bad_argument unless the matrix is square and its arrays fit each other.
template <Scalar T>
void check_input(const CsrView<T>& a);

// The same matrix by columns, rows rising in each; entries given twice are added up.  Throws
// bad_argument if the arrays do not fit each other, not_finite with the entry.
template <Scalar T>
Csc<T> sorted_columns(const CsrView<T>& a);
// And by rows.
template <Scalar T>
Csr<T> sorted_rows(const CsrView<T>& a);

// Whether every entry has its mirror image; the values may differ.  Lists must be sorted.
template <Scalar T>
bool has_symmetric_pattern(const Csc<T>& a);

// `start` in the 32 bits of a package; throws bad_argument, naming the package, if one is above
// `limit`.
std::vector<int> narrow_starts(const Buffer<Offset>& start, Offset limit, const char* package);

}  // namespace echelon
