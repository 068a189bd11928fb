// examples/05_factor_once.cpp -- factor with CHOLMOD once, solve many times, take new values,
// and solve with factors in single precision.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 05_factor_once.cpp -lechelon -fopenmp ... -o 05_factor_once
//   ./05_factor_once
//   plain: backward error below 1e-14: yes
//   updated: backward error below 1e-14: yes
//   in single precision, refined: backward error below 1e-14: yes
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

int main() {
  auto a = echelon::generate<double>("elasticity3d:6");
  const echelon::Index n = a.rows;
  const std::vector<double> b(n, 1.0);
  std::vector<double> x(n);
  const echelon::Vectors<const double> right(b.data(), n);
  const echelon::Vectors<double> answer(x.data(), n);
  const auto tell = [&](const char* what, const echelon::Csr<double>& matrix) {
    const bool good =
        echelon::find_backward_errors<double>(matrix, right, answer).componentwise < 1e-14;
    std::cout << what << ": backward error below 1e-14: " << (good ? "yes" : "no") << '\n';
  };
  try {
    // [doc
    echelon::DirectSolver<double> solver(echelon::factor_cholmod<double>(a));
    solver.solve(b, x);  // A x = b, as often as you like
    tell("plain", a);

    for (double& v : a.value) v *= 2;                   // new values, same pattern
    solver.update(echelon::factor_cholmod<double>(a));  // no new analysis
    solver.solve(b, x);
    tell("updated", a);

    echelon::Options options;
    options.numeric.low_precision = true;  // half the bytes to read
    echelon::DirectSolver<double> low(echelon::factor_cholmod<double>(a), options);
    low.solve(a, right, answer);  // refined with A
    tell("in single precision, refined", a);
    // doc]
  } catch (const echelon::Error& error) {
    if (error.code() != echelon::ErrorCode::backend_missing) throw;
    std::cout << "this build has no CHOLMOD\n";
  }
}
