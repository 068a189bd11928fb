// factor/check_factors.cpp -- checks a factorization by one solve with one step of refinement.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Substitution with both triangles as they are, entry by entry: it needs no analysis, and
// is done twice.  The residual is computed in the precision of T.
#include "factor/check_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/instantiate.hpp"
#include "base/number.hpp"

namespace echelon {
namespace {

constexpr double rounding_errors = 1000;  // of eps: an error up to this is that of rounding
constexpr double correct_digits = 0.4;    // the least share of all digits that a plain solve gives

// A column of N.
template <class T>
struct EntryColumn {
  Index j;
  T diagonal;
  std::span<const Index> row;  // below the diagonal
  std::span<const T> value;
};

template <class T>
EntryColumn<T> panel_column(const Panels<T>& p, Index s, Index j) {
  const Index local = j - p.first[s], rows = p.rows(s);
  const T* const value = p.value.data() + p.value_start[s] + Offset{local} * rows;
  const auto below = static_cast<std::size_t>(rows - local - 1);
  return {j,
          p.unit_diagonal ? T(1) : value[local],
          {p.row.data() + p.row_start[s] + local + 1, below},
          {value + local + 1, below}};
}

template <class T>
EntryColumn<T> stored_column(const FactorTriangle<T>& t, Index j) {
  const Csc<T>& c = t.columns;
  const Offset first = c.start[j] + (t.unit_diagonal ? 0 : 1);
  const auto below = static_cast<std::size_t>(c.start[j + 1] - first);
  return {j,
          t.unit_diagonal ? T(1) : c.value[c.start[j]],
          {c.index.data() + first, below},
          {c.value.data() + first, below}};
}

// Calls f for all columns, in rising or falling order.
template <class T, class F>
void for_each_column(const FactorTriangle<T>& t, Index n, bool rising, const F& f) {
  if (!t.in_panels()) {
    for (Index k = 0; k < n; ++k) f(stored_column(t, rising ? k : n - 1 - k));
    return;
  }
  const Panels<T>& p = t.panels;
  for (Index k = 0; k < p.count(); ++k) {
    const Index s = rising ? k : p.count() - 1 - k;
    const Index width = p.first[s + 1] - p.first[s];
    for (Index c = 0; c < width; ++c)
      f(panel_column(p, s, p.first[s] + (rising ? c : width - 1 - c)));
  }
}

template <class T>
void solve_lower(const FactorTriangle<T>& t, std::vector<T>& x) {
  for_each_column(t, static_cast<Index>(x.size()), true, [&](const EntryColumn<T>& c) {
    const T v = x[c.j] /= c.diagonal;
    for (std::size_t k = 0; k < c.row.size(); ++k) x[c.row[k]] -= multiply(c.value[k], v);
  });
}

// With the transpose, or the conjugate transpose.
template <class T>
void solve_transposed(const FactorTriangle<T>& t, bool conjugate, std::vector<T>& x) {
  for_each_column(t, static_cast<Index>(x.size()), false, [&](const EntryColumn<T>& c) {
    T sum = x[c.j];
    for (std::size_t k = 0; k < c.row.size(); ++k)
      sum -= multiply(conjugate_if(conjugate, c.value[k]), x[c.row[k]]);
    x[c.j] = sum / conjugate_if(conjugate, c.diagonal);
  });
}

// x += A^-1 r by the factors.
template <class T>
void add_solution(const Factors<T>& f, const std::vector<T>& r, std::vector<T>& x) {
  const auto at = [](const std::vector<Index>& order, Index i) {
    return order.empty() ? i : order[i];
  };
  std::vector<T> y(r.size());
  for (Index i = 0; i < f.n; ++i) {
    const Index row = at(f.row_order, i);
    y[i] = f.row_scale.empty() ? r[row] : f.row_scale[row] * r[row];
  }
  solve_lower(f.lower, y);
  for (std::size_t i = 0; i < f.diagonal.size(); ++i) y[i] /= f.diagonal[i];
  solve_transposed(f.symmetric ? f.lower : f.upper, f.symmetric, y);
  for (Index i = 0; i < f.n; ++i) {
    const Index column = at(f.col_order, i);
    x[column] += f.col_scale.empty() ? y[i] : f.col_scale[column] * y[i];
  }
}

// r = b - A x.
template <class T>
void residual_of(const MatrixView<T>& a, const std::vector<T>& b, const std::vector<T>& x,
                 std::vector<T>& r) {
  r = b;
  for (Index k = 0; k < a.lists(); ++k)
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p) {
      const auto [i, j] =
          a.order == Order::rows ? std::pair(k, a.index[p]) : std::pair(a.index[p], k);
      r[i] -= multiply(a.value[p], x[j]);
    }
}

// The largest modulus; NaN if one is NaN.
template <class T>
double largest(const std::vector<T>& v) {
  double most = 0;
  for (const T x : v) {
    const double size = std::abs(x);
    if (!(size <= most)) most = size;
    if (std::isnan(size)) break;
  }
  return most;
}

template <class T>
double largest_row_sum(const MatrixView<T>& a) {
  std::vector<double> sum(static_cast<std::size_t>(a.rows), 0);
  for (Index k = 0; k < a.lists(); ++k)
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p)
      sum[a.order == Order::rows ? k : a.index[p]] += std::abs(a.value[p]);
  return sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end());
}

// Fixed numbers between 1 and 2 of either sign, so that the check gives the same answer each time.
template <class T>
std::vector<T> fixed_vector(Index n) {
  std::vector<T> z(static_cast<std::size_t>(n));
  std::uint32_t state = 12345;
  for (T& x : z) {
    state = state * 1664525u + 1013904223u;
    const double size = 1 + (state >> 8) / 16777216.0;
    x = T(static_cast<Real<T>>((state & 128u) != 0 ? size : -size));
  }
  return z;
}

}  // namespace

template <Scalar T>
bool FactorCheck::good() const {
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  return first <= std::pow(eps, correct_digits) && refined <= rounding_errors * eps;
}

template <Scalar T>
bool FactorCheck::needs_no_refinement() const {
  return first <= rounding_errors * std::numeric_limits<Real<T>>::epsilon();
}

template <Scalar T>
FactorCheck check_factors(const MatrixView<T>& a, const Factors<T>& f) {
  const double norm = largest_row_sum(a);
  const auto n = static_cast<std::size_t>(f.n);
  std::vector<T> b(n), x(n), r(n);
  residual_of(a, b, fixed_vector<T>(f.n), r);  // b is 0, so that -r is A z
  std::transform(r.begin(), r.end(), b.begin(), [](T v) { return -v; });
  const auto error = [&] {
    residual_of(a, b, x, r);
    const double size = norm * largest(x) + largest(b);
    const double residual = largest(r);
    return residual == 0 ? 0 : residual / size;
  };
  FactorCheck check;
  add_solution(f, b, x);
  check.first = error();
  if (!std::isfinite(check.first)) return {check.first, check.first};
  add_solution(f, std::vector<T>(r), x);
  check.refined = error();
  return check;
}

#define ECHELON_INSTANTIATE(T)                               \
  template bool FactorCheck::good<T>() const;                \
  template bool FactorCheck::needs_no_refinement<T>() const; \
  template FactorCheck check_factors(const MatrixView<T>&, const Factors<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
