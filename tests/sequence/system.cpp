// tests/sequence/system.cpp -- residuals of a product of sparse matrices, in long double.
// SPDX-License-Identifier: BSD-3-Clause
#include "sequence/system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echelon::test {

Wide multiply(Wide a, Wide b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

System::System(std::vector<SparseFactor> factors)
    : n_(static_cast<Index>(factors.front().rows.size())), factors_(std::move(factors)) {
  long double others = 2;
  for (std::size_t k = 1; k < factors_.size(); ++k) {
    std::size_t most = 0;
    for (const auto& row : factors_[k].rows) most = std::max(most, row.size());
    others += static_cast<long double>(most);
  }
  for (const auto& row : factors_.front().rows)
    entries_.push_back(others + static_cast<long double>(row.size()));
}

WideVector System::residual(const WideVector& b, const WideVector& x) const {
  WideVector product = x;
  for (auto f = factors_.rbegin(); f != factors_.rend(); ++f) {
    WideVector next(product.size());
    for (std::size_t i = 0; i < next.size(); ++i)
      for (const auto& [j, v] : f->rows[i]) next[i] += multiply(v, product[j]);
    product = std::move(next);
  }
  for (std::size_t i = 0; i < product.size(); ++i) product[i] = b[i] - product[i];
  return product;
}

double System::error(const WideVector& b, const WideVector& x, Wide alpha,
                     const Bound& bound) const {
  WideVector right = b;
  for (Wide& v : right) v = multiply(alpha, v);
  const WideVector rest = residual(right, x);
  std::vector<long double> size;
  for (const Wide& v : x) size.push_back(std::abs(v));
  for (auto f = factors_.rbegin(); f != factors_.rend(); ++f) {
    std::vector<long double> next(size.size());
    for (std::size_t i = 0; i < next.size(); ++i)
      for (const auto& [j, v] : f->rows[i]) next[i] += std::abs(v) * size[j];
    size = std::move(next);
  }
  long double worst = 0, most_rest = 0, most_size = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    const long double gap = std::abs(rest[i]);
    if (!(gap <= std::numeric_limits<long double>::max()))
      return std::numeric_limits<double>::infinity();
    const long double unit =
        ((size[i] + std::abs(right[i])) * bound.eps + bound.least) * entries_[i];
    if (gap > 0) worst = std::max(worst, gap / unit);
    most_rest = std::max(most_rest, gap);
    most_size = std::max(most_size, unit);
  }
  if (bound.componentwise || most_rest == 0) return static_cast<double>(worst);
  return static_cast<double>(most_rest / most_size);
}

SparseFactor transposed(const SparseFactor& f, bool conjugated) {
  SparseFactor t;
  t.rows.resize(f.rows.size());
  for (std::size_t i = 0; i < f.rows.size(); ++i)
    for (const auto& [j, v] : f.rows[i])
      t.rows[j].push_back({static_cast<Index>(i), conjugated ? std::conj(v) : v});
  return t;
}

SparseFactor diagonal_factor(const WideVector& d) {
  SparseFactor f;
  for (std::size_t i = 0; i < d.size(); ++i) f.rows.push_back({{static_cast<Index>(i), d[i]}});
  return f;
}

SparseFactor permutation_factor(const std::vector<Index>& order) {
  SparseFactor f;
  for (const Index j : order) f.rows.push_back({{j, Wide(1)}});
  return f;
}

}  // namespace echelon::test
