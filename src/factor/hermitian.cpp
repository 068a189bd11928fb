// factor/hermitian.cpp -- tests whether a matrix is Hermitian, with a positive diagonal.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Compares the sorted rows of A with its sorted columns: entry k of row i must be the
// conjugate of entry k of column i.  Rounding is measured relative to the entry, and to the two
// diagonal entries, whose geometric mean bounds the other entries of a positive definite matrix.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "echelon/factor.hpp"

namespace echelon {
namespace {

std::string place(Index i, Index j) {
  return "row " + std::to_string(i) + ", column " + std::to_string(j);
}

// The stored diagonal; 0 where it is missing.
template <class T>
Buffer<T> diagonal_of(const MatrixView<T>& a) {
  Buffer<T> diagonal(static_cast<std::size_t>(a.lists()), T(0));
  for (Index i = 0; i < a.lists(); ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) diagonal[i] += a.value[p];
  return diagonal;
}

// The first difference between row i and the conjugate of column i; empty if there is none.
template <class T>
std::string compare(const Csr<T>& rows, const Csc<T>& columns, Index i, const Buffer<T>& diagonal) {
  constexpr double rounding = 16.0 * std::numeric_limits<Real<T>>::epsilon();
  if (rows.start[i + 1] != columns.start[i + 1])
    return "row " + std::to_string(i) + " and column " + std::to_string(i) +
           " have different entries";
  for (Offset p = rows.start[i]; p < rows.start[i + 1]; ++p) {
    const Index j = rows.index[p];
    if (columns.index[p] != j) return "the entry in " + place(i, j) + " has no counterpart";
    const double diagonals =
        std::sqrt(static_cast<double>(std::abs(diagonal[i])) * std::abs(diagonal[j]));
    const double size = std::max<double>(std::abs(rows.value[p]), std::abs(columns.value[p]));
    if (!(std::abs(rows.value[p] - conjugate_if(true, columns.value[p])) <=
          rounding * std::max(diagonals, size)))
      return i == j ? "the diagonal entry of row " + std::to_string(i) + " is not real"
                    : "the entries in " + place(i, j) + " and " + place(j, i) + " do not match";
  }
  return "";
}

}  // namespace

template <Scalar T>
HermitianTest test_hermitian(const MatrixView<T>& a) {
  HermitianTest t;
  if (a.rows != a.cols) return {false, false, "the matrix is not square"};
  const Buffer<T> diagonal = diagonal_of(a);
  const CsrView<T> lists(a.lists(), a.width(), a.start, a.index, a.value);
  const Csc<T> columns = to_csc(lists);
  const Csr<T> rows = to_csr(CscView<T>(columns));  // sorted
  for (Index i = 0; i < a.rows; ++i)
    if (t.why = compare(rows, columns, i, diagonal); !t.why.empty()) return t;
  t.hermitian = true;
  for (Index i = 0; i < a.rows; ++i)
    if (!(std::real(diagonal[i]) > 0)) {
      t.why = "the diagonal entry of row " + std::to_string(i) + " is not positive";
      return t;
    }
  t.positive_diagonal = true;
  return t;
}

#define ECHELON_INSTANTIATE(T) template HermitianTest test_hermitian(const MatrixView<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
