// examples/krylov.hpp -- conjugate gradients and BiCGSTAB, for examples 06 and 07.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both count the iterations until |b - A x| is 1e-8 |b|, for b = (1, ..., 1) and x = 0; -1 after
// 2000.  x itself is not computed.  `precondition(r, z)` sets z = M^-1 r.
#pragma once

#include <echelon/matrix.hpp>
#include <numeric>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

inline double dot(const Vector& u, const Vector& v) {
  return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
}

// y = A x.
inline void multiply(const echelon::Csr<double>& a, const Vector& x, Vector& y) {
  std::fill(y.begin(), y.end(), 0);
  for (echelon::Index i = 0; i < a.rows; ++i)
    for (auto p = a.start[i]; p < a.start[i + 1]; ++p) y[i] += a.value[p] * x[a.index[p]];
}

template <class Preconditioner>
int conjugate_gradients(const echelon::Csr<double>& a, const Preconditioner& precondition) {
  const auto n = static_cast<std::size_t>(a.rows);
  Vector r(n, 1), z(n), p(n), q(n);
  double rho = 1;
  for (int k = 0; k < 2000; ++k) {
    if (dot(r, r) <= 1e-16 * a.rows) return k;
    precondition(r, z);
    const double before = std::exchange(rho, dot(r, z));
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (k == 0 ? 0 : rho / before) * p[i];
    multiply(a, p, q);
    const double alpha = rho / dot(p, q);  // x += alpha p
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
  }
  return -1;
}

// van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992).
template <class Preconditioner>
int bicgstab(const echelon::Csr<double>& a, const Preconditioner& precondition) {
  const auto n = static_cast<std::size_t>(a.rows);
  Vector r(n, 1), p(n), v(n), t(n), y(n), z(n);
  const Vector shadow = r;
  double rho = 1, alpha = 1, omega = 1;
  for (int k = 0; k < 2000; ++k) {
    if (dot(r, r) <= 1e-16 * a.rows) return k;
    const double before = std::exchange(rho, dot(shadow, r));
    const double beta = k == 0 ? 0 : rho / before * alpha / omega;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    precondition(p, y);
    multiply(a, y, v);
    alpha = rho / dot(shadow, v);
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * v[i];
    precondition(r, z);
    multiply(a, z, t);
    omega = dot(t, r) / dot(t, t);  // x += alpha y + omega z
    for (std::size_t i = 0; i < n; ++i) r[i] -= omega * t[i];
  }
  return -1;
}
