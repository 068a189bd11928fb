// tests/support/reference_sweep.hpp -- the oracle of the smoother: sweeps from the stored entries,
// in higher precision.
// SPDX-License-Identifier: BSD-3-Clause
//
// Shares no code with the library's analysis, packing, executors or smoother.
#pragma once

#include <complex>
#include <limits>
#include <vector>

#include "echelon/smoother.hpp"

namespace echelon::test {

// long double, or complex of it.
template <Scalar T>
using Exact = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;

template <Scalar T>
Exact<T> exact(T a) {
  if constexpr (is_complex<T>)
    return {a.real(), a.imag()};
  else
    return a;
}

// x after `sweeps` sweeps, row by row.
template <Scalar T, Order order>
std::vector<Exact<T>> reference_sweeps(const Compressed<T, order>& a, const std::vector<T>& b,
                                       const std::vector<T>& guess, Sweep direction, double omega,
                                       Index sweeps) {
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<std::vector<std::pair<Index, Exact<T>>>> rows(n);
  for (Index k = 0; k < a.rows; ++k)
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p) {
      const Index i = order == Order::rows ? k : a.index[p];
      rows[i].push_back({order == Order::rows ? a.index[p] : k, exact(a.value[p])});
    }
  std::vector<Exact<T>> x;
  for (const T& g : guess) x.push_back(exact(g));
  const long double w = omega;
  const auto relax = [&](std::size_t i) {
    Exact<T> s = exact(b[i]), d = 0;
    for (const auto& [j, v] : rows[i])
      if (j == static_cast<Index>(i))
        d += v;
      else
        s -= v * x[j];
    x[i] = (1 - w) * x[i] + w * s / d;
  };
  for (Index s = 0; s < sweeps; ++s) {
    if (direction != Sweep::backward)
      for (std::size_t i = 0; i < n; ++i) relax(i);
    if (direction != Sweep::forward)
      for (std::size_t i = n; i-- > 0;) relax(i);
  }
  return x;
}

// max |x - expected| in roundings of the largest entry.
template <Scalar T>
double sweep_error(const std::vector<T>& x, const std::vector<Exact<T>>& expected,
                   long double least_size = 0) {
  long double most = least_size, apart = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max<long double>(most, std::abs(expected[i]));
    const long double gap = std::abs(exact(x[i]) - expected[i]);
    if (!(gap <= std::numeric_limits<long double>::max()))
      return std::numeric_limits<double>::infinity();
    apart = std::max(apart, gap);
  }
  if (apart == 0) return 0;
  return static_cast<double>(apart / (most * std::numeric_limits<Real<T>>::epsilon()));
}

}  // namespace echelon::test
