// examples/01_solve_lower.cpp -- reads a lower triangle, solves with it, prints the plan.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 01_solve_lower.cpp $(pkg-config --cflags --libs echelon) -o 01_solve_lower
//   ./01_solve_lower lower.mtx
//     unknowns              6
//     nonzeros              11
//     levels                3
//     average parallelism   2 unknowns per level
//     method                serial: too small to wake other threads
//     ...
//   x(0) = 0.5
// [doc
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) try {
  const auto l = echelon::read_matrix<double>(argc > 1 ? argv[1] : "lower.mtx");
  const echelon::Solver solver(echelon::lower(l));  // analysis and values, once
  const std::vector<double> b(l.rows, 1.0);         // b = (1, 1, ..., 1)
  const std::vector<double> x = solver.solve(b);    // as often as you like
  std::cout << solver << "x(0) = " << x.front() << '\n';
} catch (const echelon::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
// doc]
