// tests/direct/ldl_factors.hpp -- an LDL' factorization made without any package.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/factor.hpp"
#include "support/random_matrix.hpp"

namespace echelon::test {

// A unit triangle whose column j has the rows j+1, j+2 and j+7, and a D with mixed signs.
template <Scalar T>
Factors<T> ldl_factors(Index n, unsigned seed = 1) {
  Factors<T> f;
  f.n = n;
  f.kind = "LDL'";
  f.symmetric = true;
  f.lower.unit_diagonal = true;
  Csc<T>& l = f.lower.columns;
  l.rows = l.cols = n;
  l.start.assign(1, 0);
  const auto values = random_vector<T>(4 * static_cast<std::size_t>(n), seed);
  for (Index j = 0; j < n; ++j) {
    for (const Index i : {j + 1, j + 2, j + 7}) {
      if (i >= n) continue;
      l.index.push_back(i);
      l.value.push_back(values[l.value.size()] / Real<T>(4));
    }
    l.start.push_back(static_cast<Offset>(l.index.size()));
    f.diagonal.push_back(T(Real<T>(j % 2 == 0 ? 1 + j % 5 : -2 - j % 3)));
  }
  f.lower.nonzeros = l.start.back() + n;
  return f;
}

// max |b - L D L' x| over max |b|, for vector k.
template <Scalar T>
double ldl_error(const Factors<T>& f, const Vectors<const T>& b, const Vectors<const T>& x,
                 Index k) {
  const Csc<T>& l = f.lower.columns;
  std::vector<std::complex<double>> y(static_cast<std::size_t>(f.n));
  const auto at = [&](const Vectors<const T>& v, Index i) {
    return std::complex<double>(v.data[i * v.step() + k * v.stride()]);
  };
  for (Index j = 0; j < f.n; ++j) {  // y = D L' x
    y[j] = at(x, j);
    for (Offset p = l.start[j]; p < l.start[j + 1]; ++p)
      y[j] += std::conj(std::complex<double>(l.value[p])) * at(x, l.index[p]);
    y[j] *= std::complex<double>(f.diagonal[j]);
  }
  double rest = 0, most = 0;
  std::vector<std::complex<double>> product(y);
  for (Index j = 0; j < f.n; ++j)
    for (Offset p = l.start[j]; p < l.start[j + 1]; ++p)
      product[l.index[p]] += std::complex<double>(l.value[p]) * y[j];
  for (Index i = 0; i < f.n; ++i) {
    rest = std::max(rest, std::abs(at(b, i) - product[i]));
    most = std::max(most, std::abs(at(b, i)));
  }
  return rest / (most * static_cast<double>(std::numeric_limits<Real<T>>::epsilon()));
}

}  // namespace echelon::test
