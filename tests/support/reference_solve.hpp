// tests/support/reference_solve.hpp -- the oracle: solves M x = alpha b from the stored entries,
// and computes the backward error of a solution.
// SPDX-License-Identifier: BSD-3-Clause
//
// Shares no code with the library's analysis, packing or executors.
#pragma once

#include <cmath>
#include <limits>

#include "echelon/matrix.hpp"

namespace echelon::test {

// The rows of M = op(triangle), diagonal included.
template <Scalar T>
std::vector<std::vector<std::pair<Index, T>>> rows_of(const Triangle<T>& t) {
  std::vector<std::vector<std::pair<Index, T>>> rows(static_cast<std::size_t>(t.n()));
  for (Index k = 0; k < t.n(); ++k) {
    for (Offset p = t.stored.start[k]; p < t.stored.start[k + 1]; ++p) {
      Index i = t.stored.order == Order::rows ? k : t.stored.index[p];
      Index j = t.stored.order == Order::rows ? t.stored.index[p] : k;
      if (t.uplo == Uplo::lower ? j > i : j < i) continue;
      if (i == j && t.diagonal == Diagonal::unit) continue;
      if (t.op != Op::none) std::swap(i, j);
      T v = t.value[p];
      if constexpr (is_complex<T>)
        if (t.op == Op::conjugate) v = std::conj(v);
      rows[i].push_back({j, v});
    }
    if (t.diagonal == Diagonal::unit) rows[k].push_back({k, T(1)});
  }
  return rows;
}

// x = M^-1 (alpha b), row by row.
template <Scalar T>
std::vector<T> reference_solve(const Triangle<T>& t, const std::vector<T>& b, T alpha = T(1)) {
  const auto rows = rows_of(t);
  const bool forward = (t.uplo == Uplo::lower) == (t.op == Op::none);
  std::vector<T> x(b.size());
  for (Index k = 0; k < t.n(); ++k) {
    const Index i = forward ? k : t.n() - 1 - k;
    T s = alpha * b[i], d = T(0);
    for (const auto& [j, v] : rows[i]) {
      if (j == i)
        d += v;
      else
        s -= v * x[j];
    }
    x[i] = s / d;
  }
  return x;
}

// max |alpha b - M x| / ((|M||x| + |alpha b|) * (entries of the row + 2) * eps): below a small
// constant for every backward stable solve.
template <Scalar T>
double backward_error(const Triangle<T>& t, const std::vector<T>& b, const std::vector<T>& x,
                      T alpha = T(1)) {
  const auto rows = rows_of(t);
  double worst = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    T residual = alpha * b[i];
    double scale = std::abs(residual);
    for (const auto& [j, v] : rows[i]) {
      residual -= v * x[j];
      scale += std::abs(v) * std::abs(x[j]);
    }
    const double size = std::abs(residual);
    if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
    const double unit = static_cast<double>(std::numeric_limits<Real<T>>::epsilon()) *
                        static_cast<double>(rows[i].size() + 2);
    if (size > 0) worst = std::max(worst, size / (scale * unit));
  }
  return worst;
}

}  // namespace echelon::test
