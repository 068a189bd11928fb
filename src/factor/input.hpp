// factor/input.hpp -- checks and sorts the matrix to be factored, and adds up duplicates.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

// Throws bad_argument unless the matrix is square and its arrays fit together.
template <Scalar T>
void check_input(const CsrView<T>& a);

// The same matrix by columns, each sorted, with duplicates added.  Throws bad_argument if the
// arrays do not fit together, not_finite with the entry.
template <Scalar T>
Csc<T> sorted_columns(const CsrView<T>& a);
// The same by rows.
template <Scalar T>
Csr<T> sorted_rows(const CsrView<T>& a);

// Whether every entry has a mirrored entry; values may differ.  Lists must be sorted.
template <Scalar T>
bool has_symmetric_pattern(const Csc<T>& a);

// `start` in 32 bits, for a package; throws bad_argument, naming the package, if one is above
// `limit`.
std::vector<int> narrow_starts(const Buffer<Offset>& start, Offset limit, const char* package);

}  // namespace echelon
