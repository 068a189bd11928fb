// examples/06_gauss_seidel_cg.cpp -- conjugate gradients on a Laplacian: plain, with a symmetric
// Gauss-Seidel sweep as the preconditioner, and with a better weight.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 06_gauss_seidel_cg.cpp $(pkg-config --cflags --libs echelon) -o 06_sweeps
//   ./06_sweeps
//   plain: 239 iterations
//   symmetric Gauss-Seidel: 118 iterations
//   omega = 1.95: 49 iterations
#include <cmath>
#include <echelon/echelon.hpp>
#include <iostream>
#include <numbers>

#include "krylov.hpp"

int main() try {
  const auto a = echelon::generate<double>("laplace2d:128x128:5");
  const auto plain = [](const Vector& r, Vector& z) { z = r; };
  std::cout.precision(3);
  std::cout << "plain: " << conjugate_gradients(a, plain) << " iterations\n";
  // [doc
  echelon::SmootherOptions options;  // symmetric sweeps
  const echelon::GaussSeidel<double> smoother(a, options);
  const auto sweep = [&](const Vector& r, Vector& z) {
    smoother.solve(r, z, {.guess = echelon::Guess::zero});  // z = M^-1 r
  };
  std::cout << "symmetric Gauss-Seidel: " << conjugate_gradients(a, sweep) << " iterations\n";

  options.omega = 2 / (1 + std::sin(std::numbers::pi / 129));  // near the best for this grid
  const echelon::GaussSeidel<double> weighted(a, options);
  // doc]
  const auto weighted_sweep = [&](const Vector& r, Vector& z) {
    weighted.solve(r, z, {.guess = echelon::Guess::zero});
  };
  std::cout << "omega = " << options.omega << ": " << conjugate_gradients(a, weighted_sweep)
            << " iterations\n";
} catch (const echelon::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
