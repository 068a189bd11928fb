// tests/factor/dense_factors.cpp -- the oracle of this folder: L D U multiplied out.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"

#include <cmath>

#include "base/instantiate.hpp"

namespace echelon::test {
namespace {

using Number = std::complex<double>;

template <class T>
Number number_of(T v) {
  return Number(v);
}

// |L||D||U| and L D U side by side.
struct Product {
  Dense value, size;
};

Product multiply(const Dense& l, const std::vector<Number>& d, const Dense& u) {
  Product p{Dense(l.n), Dense(l.n)};
  for (Index i = 0; i < l.n; ++i)
    for (Index k = 0; k <= i; ++k) {
      if (l(i, k) == Number(0)) continue;
      for (Index j = k; j < l.n; ++j) {
        const Number term = l(i, k) * d[k] * u(k, j);
        p.value(i, j) += term;
        p.size(i, j) += std::abs(term);
      }
    }
  return p;
}

template <class T>
Index at(const std::vector<T>& order, Index i) {
  return order.empty() ? i : order[i];
}

void expect_permutation(const std::vector<Index>& order, Index n) {
  if (order.empty()) return;
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted.size(), static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) EXPECT_EQ(sorted[i], i);
}

// U, which is stored as its transpose or, conjugated, is L.
template <class T>
Dense dense_upper(const Factors<T>& f) {
  const Dense m = dense(f.symmetric ? f.lower : f.upper, f.n);
  Dense u(f.n);
  for (Index i = 0; i < f.n; ++i)
    for (Index j = 0; j < f.n; ++j) u(i, j) = f.symmetric ? std::conj(m(j, i)) : m(j, i);
  return u;
}

template <class T>
void expect_well_formed(const FactorTriangle<T>& t, Index n) {
  const Dense m = dense(t, n);
  const Offset nonzeros =
      std::count_if(m.value.begin(), m.value.end(), [](Number v) { return v != Number(0); });
  if (!t.in_panels()) {
    EXPECT_EQ(t.columns.rows, n);
    EXPECT_EQ(t.nonzeros, t.columns.nonzeros() + (t.unit_diagonal ? n : 0));
    for (Index j = 0; j < n; ++j) {
      const auto column = t.columns.pattern().list(j);
      EXPECT_TRUE(std::is_sorted(column.begin(), column.end()));
      EXPECT_TRUE(t.unit_diagonal || column[0] == j);
    }
    return;
  }
  EXPECT_EQ(t.nonzeros, nonzeros);
  check_supernodes(t.supernodes);
  Dense inside(n);
  for (Index s = 0; s < t.supernodes.count(); ++s)
    for (Index j = t.supernodes.first[s]; j < t.supernodes.first[s + 1]; ++j) {
      for (Index i = j; i < t.supernodes.first[s + 1]; ++i) inside(i, j) = 1;
      for (const Index i : t.supernodes.rows(s)) inside(i, j) = 1;
    }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      EXPECT_TRUE(m(i, j) == Number(0) || inside(i, j) == Number(1)) << i << ' ' << j;
}

template <class T>
Csr<T> with_diagonal(Csr<T> a, T diagonal) {
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) a.value[p] = diagonal;
  return a;
}

}  // namespace

template <Scalar T>
Dense dense(const CsrView<T>& a) {
  Dense d(a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) d(i, a.index[p]) += number_of(a.value[p]);
  return d;
}

template <Scalar T>
Dense dense(const FactorTriangle<T>& t, Index n) {
  Dense d(n);
  const Panels<T>& panels = t.panels;
  for (Index s = 0; s < panels.count(); ++s)
    for (Index j = panels.first[s]; j < panels.first[s + 1]; ++j) {
      const Index local = j - panels.first[s], rows = panels.rows(s);
      for (Index k = local; k < rows; ++k)
        d(panels.row[panels.row_start[s] + k], j) =
            number_of(panels.value[panels.value_start[s] + Offset{local} * rows + k]);
      if (panels.unit_diagonal) d(j, j) = 1;
    }
  if (t.in_panels()) return d;
  for (Index j = 0; j < t.columns.cols; ++j) {
    for (Offset p = t.columns.start[j]; p < t.columns.start[j + 1]; ++p)
      d(t.columns.index[p], j) += number_of(t.columns.value[p]);
    if (t.unit_diagonal) d(j, j) = 1;
  }
  return d;
}

template <Scalar T>
double factor_error(const CsrView<T>& a, const Factors<T>& f) {
  const Index n = f.n;
  const Dense whole = dense(a);
  std::vector<Number> d(static_cast<std::size_t>(n), 1);
  for (std::size_t k = 0; k < f.diagonal.size(); ++k) d[k] = number_of(f.diagonal[k]);
  const Product p = multiply(dense(f.lower, n), d, dense_upper(f));
  const double unit = n * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  double worst = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Index r = at(f.row_order, i), c = at(f.col_order, j);
      Number wanted = whole(r, c);
      if (!f.row_scale.empty()) wanted *= f.row_scale[r];
      if (!f.col_scale.empty()) wanted *= f.col_scale[c];
      const double size = std::abs(p.size(i, j)) + std::abs(wanted);
      const double error = std::abs(p.value(i, j) - wanted);
      if (error > 0) worst = std::max(worst, error / (unit * size));
    }
  return worst;
}

template <Scalar T>
void expect_exact_on_entries(const CsrView<T>& a, const Factors<T>& f) {
  const Dense whole = dense(a);
  const std::vector<Number> ones(static_cast<std::size_t>(f.n), 1);
  const Dense product = multiply(dense(f.lower, f.n), ones, dense_upper(f)).value;
  for (Index i = 0; i < f.n; ++i)
    for (Index j = 0; j < f.n; ++j) {
      if (whole(i, j) == Number(0)) continue;
      EXPECT_LT(std::abs(product(i, j) - whole(i, j)),
                1e3 * std::numeric_limits<Real<T>>::epsilon());
    }
}

template <Scalar T>
void expect_well_formed(const Factors<T>& f) {
  expect_permutation(f.row_order, f.n);
  expect_permutation(f.col_order, f.n);
  EXPECT_FALSE(f.package.empty() || f.kind.empty() || f.ordering.empty());
  EXPECT_TRUE(f.diagonal.empty() || f.diagonal.size() == static_cast<std::size_t>(f.n));
  expect_well_formed(f.lower, f.n);
  if (!f.symmetric) expect_well_formed(f.upper, f.n);
}

template <Scalar T>
Csr<T> random_hermitian(Index n, Index per_row, unsigned seed) {
  const Csr<T> a = random_matrix<T>({.n = n, .per_row = per_row, .seed = seed});
  Coo<T> sum{n, n, {}, {}, {}};
  const auto add = [&](Index i, Index j, T v) {
    sum.row.push_back(i);
    sum.col.push_back(j);
    sum.value.push_back(v);
  };
  for (Index i = 0; i < n; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      const Index j = a.index[p];
      const T v = a.value[p];
      if (i == j) {
        add(i, i, T(4 * std::real(v)));
      } else if constexpr (is_complex<T>) {
        add(i, j, v);
        add(j, i, std::conj(v));
      } else {
        add(i, j, v);
        add(j, i, v);
      }
    }
  return to_csr(sum);
}

template <Scalar T>
Csr<T> random_to_pivot(Index n, Index per_row, unsigned seed) {
  return with_diagonal(random_matrix<T>({.n = n, .per_row = per_row, .seed = seed}),
                       number<T>(1e-3, 1e-3));
}

bool has_package(const std::string& package) {
  const auto names = factor_packages();
  return std::find(names.begin(), names.end(), package) != names.end();
}

bool has_ordering(Ordering order) {
  const auto a = picture<double>("4 1\n 1 4");  // METIS and AMD are only called if there is an edge
  return refusal([&] { factor_ilu0<double>(a, {.order = order}); }).text.empty();
}

#define ECHELON_INSTANTIATE(T)                                                 \
  template Dense dense(const CsrView<T>&);                                     \
  template Dense dense(const FactorTriangle<T>&, Index);                       \
  template double factor_error(const CsrView<T>&, const Factors<T>&);          \
  template void expect_exact_on_entries(const CsrView<T>&, const Factors<T>&); \
  template void expect_well_formed(const Factors<T>&);                         \
  template Csr<T> random_hermitian(Index, Index, unsigned);                    \
  template Csr<T> random_to_pivot(Index, Index, unsigned);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::test
