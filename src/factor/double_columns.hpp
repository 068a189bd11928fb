// factor/double_columns.hpp -- a matrix in double precision by columns, as UMFPACK and KLU read it,
// and their L and U as triangles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "echelon/factor.hpp"
#include "factor/input.hpp"
#include "factor/structural_rank.hpp"

namespace echelon {

// The precision that SuiteSparse factors in; float is rounded up before and down after.
template <class T>
using InDouble = std::conditional_t<is_complex<T>, std::complex<double>, double>;

template <Scalar T>
struct DoubleColumns {
  SortedInput<T> lists;
  std::vector<int> start;
  Buffer<InDouble<T>> wide;  // empty for double

  // Throws what SortedInput throws, and singular if the pattern alone makes the matrix singular.
  DoubleColumns(const MatrixView<T>& a, const char* package)
      : lists(a, Half::both, Order::columns),
        start(narrow_starts(lists.view().start, std::numeric_limits<int>::max(), package)) {
    if (const Index j = find_column_without_pivot(lists.view()); j >= 0)
      throw Error(ErrorCode::singular, "the matrix is singular: column " + std::to_string(j) +
                                           " cannot have a pivot, because of the pattern alone");
    if constexpr (!std::same_as<T, InDouble<T>>)
      wide.assign(lists.view().value.begin(), lists.view().value.end());
  }

  Index n() const { return lists.view().cols; }
  const int* row() const { return lists.view().index.data(); }
  // Pairs of real and imaginary parts if T is complex.
  const double* value() const {
    if constexpr (std::same_as<T, InDouble<T>>)
      return reinterpret_cast<const double*>(lists.view().value.data());
    else
      return reinterpret_cast<const double*>(wide.data());
  }
};

// L by columns from its rows, whose lists may be in any order and hold the unit diagonal.
template <Scalar T>
FactorTriangle<T> unit_lower_columns(const Csr<InDouble<T>>& l) {
  Csr<T> below{l.rows, l.cols, Buffer<Offset>(1, 0), {}, {}};
  for (Index i = 0; i < l.rows; ++i) {
    for (Offset p = l.start[i]; p < l.start[i + 1]; ++p) {
      if (l.index[p] == i) continue;
      below.index.push_back(l.index[p]);
      below.value.push_back(T(l.value[p]));
    }
    below.start.push_back(static_cast<Offset>(below.index.size()));
  }
  FactorTriangle<T> f;
  f.columns = to_csc(CsrView<T>(below));
  f.unit_diagonal = true;
  f.nonzeros = f.columns.nonzeros() + l.rows;
  return f;
}

// The transpose of U by columns, which are the rows of U, from the columns of U.
template <Scalar T>
FactorTriangle<T> upper_rows_as_columns(const Csc<InDouble<T>>& u) {
  Csr<InDouble<T>> rows = to_csr(CscView<InDouble<T>>(u));
  FactorTriangle<T> f;
  f.columns.rows = f.columns.cols = u.rows;
  f.columns.start = std::move(rows.start);
  f.columns.index = std::move(rows.index);
  if constexpr (std::same_as<T, InDouble<T>>) {
    f.columns.value = std::move(rows.value);
  } else {
    f.columns.value.reserve(rows.value.size());
    for (const InDouble<T> v : rows.value) f.columns.value.push_back(T(v));
  }
  f.nonzeros = f.columns.nonzeros();
  return f;
}

}  // namespace echelon
