// examples/05_factor_once.cpp -- factor once, solve many times, on CPU threads and on a GPU.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 05_factor_once.cpp $(pkg-config --cflags --libs echelon) -o 05_factor_once
//   ./05_factor_once
//   A x = b: backward error below 1e-14: yes
//   A' x = b: backward error below 1e-14: yes
//   new values: backward error below 1e-14: yes
//   single precision, refined: backward error below 1e-14: yes
//   GPU: there is no CUDA device, or no driver for it
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

int main() try {
  auto a = echelon::generate<double>("elasticity3d:6");  // symmetric positive definite
  const std::vector<double> b(a.rows, 1.0);
  std::vector<double> x(a.rows);
  const echelon::Vectors<const double> right(b.data(), a.rows);
  const echelon::Vectors<double> answer(x.data(), a.rows);
  const auto check = [&](const char* what) {
    const bool good = echelon::find_backward_errors<double>(a, right, answer).componentwise < 1e-14;
    std::cout << what << ": backward error below 1e-14: " << (good ? "yes" : "no") << '\n';
  };
  // [doc
  echelon::DirectSolver<double> solver(echelon::factor_cholmod<double>(a));
  solver.solve(b, x);  // A x = b, as often as you like
  check("A x = b");
  solver.solve(b, x, {.op = echelon::Op::transpose});  // A' is A here
  check("A' x = b");

  for (double& v : a.value) v *= 2;                         // new values, same pattern
  const auto factors = echelon::factor_cholmod<double>(a);  // a new factorization
  solver.update(factors);                                   // no new analysis
  solver.solve(b, x);
  check("new values");

  echelon::Options options;
  options.numeric.low_precision = true;  // a solve reads half of the bytes
  const echelon::DirectSolver<double> low(factors, options);
  low.solve(a, right, answer);  // refined with A
  check("single precision, refined");

  try {
    const echelon::DirectSolver<double> gpu(factors, {.backend = echelon::Backend::cuda});
    gpu.solve(b, x);  // copies b to the GPU and x back
    check("GPU");
  } catch (const echelon::Error& error) {  // there is no fallback to the CPU
    std::cout << "GPU: " << error.what() << '\n';
  }
  // doc]
} catch (const echelon::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
