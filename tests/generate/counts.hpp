// tests/generate/counts.hpp -- plain loops that count and compare generated matrices.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "echelon/matrix.hpp"

namespace echelon::test {

// Levels of the lower triangle: the longest chain of entries left of the diagonal.
template <Scalar T>
Index lower_levels(const Csr<T>& a) {
  std::vector<Index> level(a.rows, 1);
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1] && a.index[p] < i; ++p)
      level[i] = std::max(level[i], level[a.index[p]] + 1);
  return *std::max_element(level.begin(), level.end());
}

// Entries of the lower triangle, with the diagonal.
template <Scalar T>
Offset lower_entries(const Csr<T>& a) {
  Offset entries = 0;
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) entries += a.index[p] <= i ? 1 : 0;
  return entries;
}

template <Scalar T>
bool rows_rise(const Csr<T>& a) {
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i] + 1; p < a.start[i + 1]; ++p)
      if (a.index[p - 1] >= a.index[p]) return false;
  return true;
}

// Equal to its transpose, value by value; rows must be sorted.
template <Scalar T>
bool is_symmetric(const Csr<T>& a) {
  const Csc<T> c = to_csc(CsrView<T>(a));
  return a.start == c.start && a.index == c.index && a.value == c.value;
}

// The smallest of |a(i,i)| - sum of |a(i,j)|, over the rows.
template <Scalar T>
double least_dominance(const Csr<T>& a) {
  double least = INFINITY;
  for (Index i = 0; i < a.rows; ++i) {
    double excess = 0;
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      excess += (a.index[p] == i ? 1 : -1) * std::abs(a.value[p]);
    least = std::min(least, excess);
  }
  return least;
}

// Row-major, all n x n numbers.
template <Scalar T>
std::vector<double> to_dense(const Csr<T>& a) {
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<double> full(n * n, 0.0);
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      full[i * n + a.index[p]] += std::real(a.value[p]);
  return full;
}

// True if Cholesky's factorization goes through; a is overwritten.
inline bool is_positive_definite(std::vector<double> a) {
  const auto n = static_cast<std::size_t>(std::sqrt(static_cast<double>(a.size())) + 0.5);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < n; ++i) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    if (!(a[j * n + j] > 0)) return false;
    const double pivot = std::sqrt(a[j * n + j]);
    for (std::size_t i = j; i < n; ++i) a[i * n + j] /= pivot;
  }
  return true;
}

}  // namespace echelon::test
