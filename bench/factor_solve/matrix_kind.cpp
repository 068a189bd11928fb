// bench/factor_solve/matrix_kind.cpp -- finds the kind of a matrix, and the part of it that
// packages read.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/matrix_kind.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echelon::bench {
namespace {

template <Scalar T>
T conjugate(T value) {
  if constexpr (is_complex<T>)
    return std::conj(value);
  else
    return value;
}

template <Scalar T>
bool same(T a, T b) {
  constexpr auto rounding = 16 * std::numeric_limits<Real<T>>::epsilon();
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

template <Scalar T>
bool has_positive_diagonal(const Csr<T>& a) {
  for (Index i = 0; i < a.rows; ++i) {
    T diagonal = T(0);
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) diagonal = a.value[p];
    if (!(std::real(diagonal) > 0)) return false;
  }
  return true;
}

}  // namespace

template <Scalar T>
MatrixKind find_matrix_kind(const CsrView<T>& a) {
  const Csc<T> columns = to_csc(a);
  const Csr<T> rows = to_csr(CscView<T>(columns));
  if (!std::equal(rows.start.begin(), rows.start.end(), columns.start.begin()) ||
      !std::equal(rows.index.begin(), rows.index.end(), columns.index.begin()))
    return MatrixKind::general;
  bool hermitian = true, symmetric = true;
  for (std::size_t p = 0; p < rows.value.size(); ++p) {
    symmetric = symmetric && same(rows.value[p], columns.value[p]);
    hermitian = hermitian && same(rows.value[p], conjugate(columns.value[p]));
  }
  if (hermitian) return has_positive_diagonal(rows) ? MatrixKind::positive : MatrixKind::hermitian;
  return symmetric ? MatrixKind::symmetric : MatrixKind::general;
}

template <Scalar T>
PackageRows<T> package_rows(const CsrView<T>& a, MatrixKind kind) {
  const Csc<T> columns = to_csc(a);
  const Csr<T> rows = to_csr(CscView<T>(columns));
  PackageRows<T> kept;
  const auto keep = [&](Index j, T value) {
    kept.index.push_back(j);
    kept.value.push_back(value);
  };
  for (Index i = 0; i < rows.rows; ++i) {
    Offset p = rows.start[i];
    const Offset end = rows.start[i + 1];
    if (kind != MatrixKind::general) {
      while (p < end && rows.index[p] < i) ++p;
      if (p == end || rows.index[p] != i) keep(i, T(0));
    }
    for (; p < end; ++p) keep(rows.index[p], rows.value[p]);
    kept.start.push_back(static_cast<int>(kept.index.size()));
  }
  return kept;
}

#define ECHELON_INSTANTIATE(T)                             \
  template MatrixKind find_matrix_kind(const CsrView<T>&); \
  template PackageRows<T> package_rows(const CsrView<T>&, MatrixKind);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
