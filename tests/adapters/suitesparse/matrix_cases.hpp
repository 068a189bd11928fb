// tests/adapters/suitesparse/matrix_cases.hpp -- matrices by columns with either index, and the
// backward error of a solution, for the tests with SuiteSparse.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "echelon/adapters/suitesparse.hpp"
#include "echelon/direct.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

// A random matrix by columns with sorted rows and no duplicates.
template <Scalar T>
Csc<T> random_columns(Index n, unsigned seed = 1) {
  Coo<T> entries{n, n, {}, {}, {}};
  const Csr<T> a = random_matrix<T>({.n = n, .per_row = 4, .seed = seed});
  for (Index i = 0; i < n; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      entries.row.push_back(i);
      entries.col.push_back(a.index[p]);
      entries.value.push_back(a.value[p]);
    }
  return to_csc<T>(to_csr(entries));
}

// The lower triangle of a Hermitian matrix with a dominant diagonal, by columns.
template <Scalar T>
Csc<T> hermitian_lower(Index n, unsigned seed = 1) {
  const Csc<T> a = random_columns<T>(n, seed);
  Csc<T> half{n, n, Buffer<Offset>(1, 0), {}, {}};
  for (Index j = 0; j < n; ++j) {
    half.index.push_back(j);
    half.value.push_back(number<T>(20));
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p)
      if (a.index[p] > j) {
        half.index.push_back(a.index[p]);
        half.value.push_back(a.value[p]);
      }
    half.start.push_back(static_cast<Offset>(half.index.size()));
  }
  return half;
}

// max |b - A x| / (|A| |x| + |b|) in roundoffs; `hermitian`: only the lower triangle is stored.
template <Scalar T>
double backward_error(const CscView<T>& a, bool hermitian, const std::vector<T>& b,
                      const std::vector<T>& x) {
  std::vector<T> residual = b;
  std::vector<double> scale;
  for (const T v : b) scale.push_back(std::abs(v));
  const auto subtract = [&](Index i, Index j, T v) {
    residual[i] -= v * x[j];
    scale[i] += std::abs(v) * std::abs(x[j]);
  };
  for (Index j = 0; j < a.cols; ++j)
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p) {
      const Index i = a.index[p];
      subtract(i, j, a.value[p]);
      if (!hermitian || i == j) continue;
      if constexpr (is_complex<T>)
        subtract(j, i, std::conj(a.value[p]));
      else
        subtract(j, i, a.value[p]);
    }
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    worst = std::max(worst, static_cast<double>(std::abs(residual[i])) / scale[i]);
  return worst / static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

}  // namespace echelon::test
