// examples/07_ilu_bicgstab.cpp -- BiCGSTAB with ILU(0), whose two triangles Echelon solves with, on
// convection and diffusion in 3D: seven points, as in atmosmodd, which is laplace3d:148x148x58:7.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 07_ilu_bicgstab.cpp -lechelon -fopenmp ... -o 07_ilu_bicgstab
//   ./07_ilu_bicgstab [MATRIX.mtx | laplace3d:148x148x58:7]
#include <chrono>
#include <cmath>
#include <echelon/echelon.hpp>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>

using Vector = std::vector<double>;
using Operator = std::function<void(const Vector&, Vector&)>;

double dot(const Vector& u, const Vector& v) {
  return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
}

// Iterations until |b - A x| is 1e-8 |b|, for b = (1, ..., 1) and x = 0.  van der Vorst (1992).
int iterate(const Operator& a, const Operator& precondition, std::size_t n) {
  Vector r(n, 1), p(n), v(n), t(n), y(n), z(n);
  const Vector shadow = r;
  const double goal = 1e-16 * dot(r, r);
  double rho = 1, alpha = 1, omega = 1;
  for (int k = 0; k < 2000; ++k) {
    if (dot(r, r) <= goal) return k;
    const double before = std::exchange(rho, dot(shadow, r));
    const double beta = k == 0 ? 0 : rho / before * alpha / omega;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    precondition(p, y);
    a(y, v);
    alpha = rho / dot(shadow, v);
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * v[i];
    precondition(r, z);
    a(z, t);
    omega = dot(t, r) / dot(t, t);
    for (std::size_t i = 0; i < n; ++i) r[i] -= omega * t[i];  // x += alpha y + omega z
  }
  return -1;
}

// A recipe becomes unsymmetric: a wind along every direction, the diagonal as it is.
echelon::Csr<double> make_matrix(const std::string& name) {
  if (!echelon::is_spec(name)) return echelon::read_matrix<double>(name);
  auto a = echelon::generate<double>(name);
  for (echelon::Index i = 0; i < a.rows; ++i)
    for (auto p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] != i) a.value[p] *= a.index[p] < i ? 1.4 : 0.6;
  return a;
}

int main(int argc, char** argv) {
  const auto a = make_matrix(argc > 1 ? argv[1] : "laplace3d:74x74x29:7");
  const auto n = static_cast<std::size_t>(a.rows);
  const auto now = std::chrono::steady_clock::now;
  const auto seconds_since = [&](auto begin) {
    return std::chrono::duration<double>(now() - begin).count();
  };
  const Operator product = [&](const Vector& x, Vector& y) {
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = 0;
      for (auto p = a.start[i]; p < a.start[i + 1]; ++p) y[i] += a.value[p] * x[a.index[p]];
    }
  };
  const auto run = [&](const char* what, const Operator& precondition) {
    const auto begin = now();
    const int k = iterate(product, precondition, n);
    std::cout << what << ": " << k << " iterations, " << seconds_since(begin) << " s\n";
    return k;
  };
  const auto begin = now();
  // [doc
  const auto factors = echelon::factor_ilu0<double>(a, {.order = echelon::Ordering::natural});
  const echelon::DirectSolver<double> ilu(factors);  // analyzes and sets up both triangles
  const Operator precondition = [&](const Vector& r, Vector& z) { ilu.solve(r, z); };
  // doc]
  std::cout << "factored and set up: " << seconds_since(begin) << " s\n";
  const int plain = run("plain", [](const Vector& r, Vector& z) { z = r; });
  const int fewer = run("ILU(0)", precondition);
  std::cout << "ILU(0) saves half of the iterations or more: "
            << (fewer > 0 && (plain < 0 || 2 * fewer <= plain) ? "yes" : "no") << '\n';
}
