// examples/06_gauss_seidel_cg.cpp -- conjugate gradients on a Laplacian: plain, with a symmetric
// Gauss-Seidel sweep as the preconditioner, and with a good weight.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 06_gauss_seidel_cg.cpp -lechelon -fopenmp ... -o 06_gauss_seidel_cg
//   ./06_gauss_seidel_cg
//   plain: 239 iterations
//   symmetric Gauss-Seidel: 118 iterations
//   omega = 1.95: 49 iterations
#include <cmath>
#include <echelon/echelon.hpp>
#include <functional>
#include <iostream>
#include <numbers>
#include <numeric>
#include <vector>

using Vector = std::vector<double>;

double dot(const Vector& u, const Vector& v) {
  return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
}

// Iterations until |b - A x| is 1e-8 |b|, for b = (1, ..., 1) and x = 0; z = precondition(r).
int iterate(const echelon::Csr<double>& a,
            const std::function<void(const Vector&, Vector&)>& precondition) {
  const auto n = static_cast<std::size_t>(a.rows);
  Vector r(n, 1), z(n), p(n), q(n);
  const double goal = 1e-16 * dot(r, r);
  double rho = 1;
  int k = 0;
  for (; dot(r, r) > goal; ++k) {
    precondition(r, z);
    const double before = std::exchange(rho, dot(r, z));
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (k == 0 ? 0 : rho / before) * p[i];
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = 0;
      for (auto e = a.start[i]; e < a.start[i + 1]; ++e) q[i] += a.value[e] * p[a.index[e]];
    }
    const double alpha = rho / dot(p, q);  // and x += alpha p, which nobody asks for here
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
  }
  return k;
}

int main() {
  const auto a = echelon::generate<double>("laplace2d:128x128:5");
  std::cout << "plain: " << iterate(a, [](const Vector& r, Vector& z) { z = r; })
            << " iterations\n";
  // [doc
  echelon::SmootherOptions options;  // symmetric sweeps
  const echelon::GaussSeidel<double> smoother(a, options);
  const auto sweep = [&](const Vector& r, Vector& z) {
    smoother.solve(r, z, {.guess = echelon::Guess::zero});  // z = M^-1 r
  };
  std::cout << "symmetric Gauss-Seidel: " << iterate(a, sweep) << " iterations\n";

  options.omega = 2 / (1 + std::sin(std::numbers::pi / 129));  // the best for this grid, or nearly
  const echelon::GaussSeidel<double> weighted(a, options);
  // doc]
  const auto weighted_sweep = [&](const Vector& r, Vector& z) {
    weighted.solve(r, z, {.guess = echelon::Guess::zero});
  };
  std::cout.precision(3);
  std::cout << "omega = " << options.omega << ": " << iterate(a, weighted_sweep) << " iterations\n";
}
