// bench/factor_solve/factor_rows.cpp -- converts the triangles of a factorization to rows.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_rows.hpp"

namespace echelon::bench {
namespace {

// The columns of panels, with their rows in stored order.
template <Scalar T>
Csc<T> columns_of(const Panels<T>& panels, Index n) {
  Csc<T> columns;
  columns.rows = columns.cols = n;
  for (Index s = 0; s < panels.count(); ++s) {
    const Index rows = panels.rows(s), width = panels.first[s + 1] - panels.first[s];
    const Index* const row = panels.row.data() + panels.row_start[s];
    for (Index j = 0; j < width; ++j) {
      const T* const value = panels.value.data() + panels.value_start[s] + Offset{j} * rows;
      for (Index k = panels.unit_diagonal ? j + 1 : j; k < rows; ++k) {
        if (k != j && value[k] == T(0)) continue;
        columns.index.push_back(row[k]);
        columns.value.push_back(value[k]);
      }
      columns.start.push_back(static_cast<Offset>(columns.index.size()));
    }
  }
  return columns;
}

// N by rows, sorted.
template <Scalar T>
Csr<T> rows_of(const FactorTriangle<T>& t, Index n) {
  if (!t.in_panels()) return to_csr(CscView<T>(t.columns));
  return to_csr(CscView<T>(columns_of(t.panels, n)));
}

template <Scalar T>
Diagonal diagonal_of(const FactorTriangle<T>& t) {
  const bool unit = t.in_panels() ? t.panels.unit_diagonal : t.unit_diagonal;
  return unit ? Diagonal::unit : Diagonal::stored;
}

}  // namespace

template <Scalar T>
RowTriangle<T> lower_rows(const Factors<T>& f) {
  return {rows_of(f.lower, f.n), Uplo::lower, diagonal_of(f.lower)};
}

template <Scalar T>
RowTriangle<T> upper_rows(const Factors<T>& f) {
  const FactorTriangle<T>& kept = f.symmetric ? f.lower : f.upper;  // U', the stored transpose
  Csc<T> columns = to_csc(CsrView<T>(rows_of(kept, f.n)));
  if constexpr (is_complex<T>)
    if (f.symmetric)
      for (T& value : columns.value) value = std::conj(value);
  return {{f.n, f.n, std::move(columns.start), std::move(columns.index), std::move(columns.value)},
          Uplo::upper,
          diagonal_of(kept)};
}

#define ECHELON_INSTANTIATE(T)                           \
  template RowTriangle<T> lower_rows(const Factors<T>&); \
  template RowTriangle<T> upper_rows(const Factors<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
