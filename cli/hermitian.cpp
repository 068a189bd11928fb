// cli/hermitian.cpp -- quick test whether a matrix may be positive definite.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Compares the sorted rows of A with its sorted columns: entry k of row i must be the
// conjugate of entry k of column i.  Rounding is measured relative to the two diagonal entries,
// whose geometric mean bounds the other entries of a positive definite matrix.
#include "hermitian.hpp"

#include <cmath>
#include <limits>

namespace echelon::cli {
namespace {

std::string counted(Index i) { return std::to_string(i + 1); }  // from 1, as in files
std::string place(Index i, Index j) { return "A(" + counted(i) + "," + counted(j) + ")"; }

template <Scalar T>
T conjugate(T value) {
  if constexpr (is_complex<T>)
    return std::conj(value);
  else
    return value;
}

// The stored diagonal; 0 where it is missing.
template <Scalar T>
Buffer<T> diagonal_of(const CsrView<T>& a) {
  Buffer<T> diagonal(static_cast<std::size_t>(a.rows), T(0));
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) diagonal[i] += a.value[p];
  return diagonal;
}

// The first difference between row i and the conjugate of column i; empty if there is none.
template <Scalar T>
std::string compare(const Csr<T>& rows, const Csc<T>& columns, Index i, const Buffer<T>& diagonal) {
  constexpr double rounding = 16.0 * std::numeric_limits<Real<T>>::epsilon();
  if (rows.start[i + 1] != columns.start[i + 1])
    return "A(" + counted(i) + ",:) and A(:," + counted(i) + ") have different entries";
  for (Offset p = rows.start[i]; p < rows.start[i + 1]; ++p) {
    const Index j = rows.index[p];
    if (columns.index[p] != j) return place(i, j) + " has no counterpart";
    const double scale =
        std::sqrt(static_cast<double>(std::abs(diagonal[i])) * std::abs(diagonal[j]));
    if (!(std::abs(rows.value[p] - conjugate(columns.value[p])) <= rounding * scale))
      return place(i, j) + " and " + place(j, i) + " do not match";
  }
  return "";
}

}  // namespace

template <Scalar T>
std::string why_not_hermitian(const CsrView<T>& a) {
  const Buffer<T> diagonal = diagonal_of(a);
  for (Index i = 0; i < a.rows; ++i)
    if (!(std::real(diagonal[i]) > 0)) return place(i, i) + " is not positive";
  const Csc<T> columns = to_csc(a);
  const Csr<T> rows = to_csr(CscView<T>(columns));  // sorted
  for (Index i = 0; i < a.rows; ++i)
    if (std::string where = compare(rows, columns, i, diagonal); !where.empty()) return where;
  return "";
}

template std::string why_not_hermitian(const CsrView<float>&);
template std::string why_not_hermitian(const CsrView<double>&);
template std::string why_not_hermitian(const CsrView<std::complex<float>>&);
template std::string why_not_hermitian(const CsrView<std::complex<double>>&);

}  // namespace echelon::cli
