// bench/factor_solve/factor_rows.cpp -- converts the triangles of a factorization to rows.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_rows.hpp"

namespace echelon::bench {
namespace {

// N by rows, sorted.
template <Scalar T>
Csr<T> rows_of(const FactorTriangle<T>& t) {
  if (!t.in_panels()) return to_csr(CscView<T>(t.columns));
  return to_csr(CscView<T>(columns_of(t.panels)));
}

template <Scalar T>
Diagonal diagonal_of(const FactorTriangle<T>& t) {
  const bool unit = t.in_panels() ? t.panels.unit_diagonal : t.unit_diagonal;
  return unit ? Diagonal::unit : Diagonal::stored;
}

}  // namespace

template <Scalar T>
RowTriangle<T> lower_rows(const Factors<T>& f) {
  return {rows_of(f.lower), Uplo::lower, diagonal_of(f.lower)};
}

template <Scalar T>
RowTriangle<T> upper_rows(const Factors<T>& f) {
  const FactorTriangle<T>& kept = f.symmetric ? f.lower : f.upper;  // U', the stored transpose
  Csc<T> columns = to_csc(CsrView<T>(rows_of(kept)));
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
