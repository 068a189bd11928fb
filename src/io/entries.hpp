// io/entries.hpp -- the steps of reading: from the body of a file to its entries, and from these to
// the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/header.hpp"

namespace echelon {

// The entries of a coordinate or Boeing file, in the order of the file.  Throws bad_file.
template <Scalar T>
Coo<T> read_coordinate(const Source& source, const Header& h, Progress& progress);
template <Scalar T>
Coo<T> read_boeing(const Source& source, const Header& h, Progress& progress);

// An array file, mirrored if it stores one half.
template <Scalar T>
DenseArray<T> read_dense(const Source& source, const Header& h, Progress& progress);

// The matrix whose lower triangle is given, sorted and without duplicates.  O(n + nnz).
template <Scalar T>
Csr<T> unfold(const Csr<T>& lower, Symmetry symmetry);

// The value at the mirrored position of v.
template <class T>
T mirrored(T v, Symmetry symmetry) {
  if (symmetry == Symmetry::skew) return -v;
  if constexpr (is_complex<T>)
    if (symmetry == Symmetry::hermitian) return std::conj(v);
  return v;
}

// Why an entry (counted from 1) is not allowed in such a file; nullptr if it is allowed.
template <class T>
inline const char* why_misplaced(Symmetry symmetry, std::int64_t row, std::int64_t col, T v) {
  if (symmetry == Symmetry::general || col < row) return nullptr;
  if (col > row) return "is above the diagonal; a symmetric file stores the lower triangle only";
  if (symmetry == Symmetry::skew && v != T(0))
    return "is on the diagonal of a skew-symmetric matrix and not zero";
  if constexpr (is_complex<T>)
    if (symmetry == Symmetry::hermitian && v.imag() != 0)
      return "is on the diagonal of a Hermitian matrix and not real";
  return nullptr;
}
[[noreturn]] void refuse_place(const Source& source, const char* where, std::int64_t row,
                               std::int64_t col, const char* why);

}  // namespace echelon
