// examples/03_reuse_analysis.cpp -- one analysis, new values many times, several threads of
// the caller on one solver.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 03_reuse_analysis.cpp $(pkg-config --cflags --libs echelon) -o 03_reuse_analysis
//   ./03_reuse_analysis
//   step 1: x(0) = 0.0833333 0.166667 0.25 0.333333
//   step 2: x(0) = 0.0416667 0.0833333 0.125 0.166667
//   step 3: x(0) = 0.0208333 0.0416667 0.0625 0.0833333
#include <echelon/echelon.hpp>
#include <iostream>
#include <thread>
#include <vector>

int main() try {
  constexpr int callers = 4;
  auto a = echelon::generate<double>("laplace3d:20x20x20:7");
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<std::vector<double>> x(callers, std::vector<double>(n));

  // [doc
  const auto t = echelon::lower(a, {.outside = echelon::OutsideEntries::ignore});
  echelon::Options options;
  options.expected_solves = 1e4;
  const echelon::Analysis analysis(t, options);  // the pattern: once
  echelon::Solver<double> solver(analysis, t);   // the values: first set

  std::vector<echelon::Solver<double>::Workspace> spaces;
  for (int c = 0; c < callers; ++c) spaces.push_back(solver.make_workspace());

  for (int step = 1; step <= 3; ++step) {
    for (double& v : a.value) v *= 2;  // a new matrix of the same pattern
    solver.update(a.value);            // one pass over the values; no solve may run

    std::vector<std::thread> threads;
    for (int c = 0; c < callers; ++c)
      threads.emplace_back([&, c] {
        const std::vector<double> b(n, c + 1.0);
        solver.solve(spaces[c], {b.data(), a.rows}, {x[c].data(), a.rows}, {.threads = 1});
      });
    for (std::thread& thread : threads) thread.join();
    std::cout << "step " << step << ": x(0) =";
    for (int c = 0; c < callers; ++c) std::cout << ' ' << x[c].front();
    std::cout << '\n';
  }
  // doc]
} catch (const echelon::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
