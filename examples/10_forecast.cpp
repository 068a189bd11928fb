// examples/10_forecast.cpp -- predicts how many MPI ranks a solve should have, without running it.
// SPDX-License-Identifier: BSD-3-Clause
//
//   c++ -std=c++20 10_forecast.cpp $(pkg-config --cflags --libs echelon) -o 10_forecast
//   ./10_forecast
//   1 rank: 1.78244 ms
//   16 ranks: 0.421603 ms
//   64 ranks: 0.385269 ms
//   fastest: 64 ranks as 1x64 with payload, 385 us, limited by blocks that wait for each other; ...
#include <echelon/echelon.hpp>
#include <iostream>
#include <vector>

using namespace echelon;

int main() try {
  const Csr<double> a = generate<double>("elasticity3d:8");
  const Factors<double> factors = factor_cholmod<double>(a);
  // [doc
  // Blocks of at most 128 columns, as ranks get them.  Only the structure is used.
  const RankFactors<double> shared = distribute_factors(factors, 128);
  SolveProblem problem;
  problem.lower = &shared.lower;
  problem.upper = shared.symmetric ? &shared.lower : &shared.upper;

  const Machine machine = known_machine("cori-knl");  // or read_machine("here.txt")
  std::vector<Trial> trials;
  for (const Index ranks : {1, 16, 64})
    trials.push_back(try_grid(problem, {1, ranks}, machine, true));
  for (const Trial& t : trials)
    std::cout << t.grid.size() << (t.grid.size() == 1 ? " rank: " : " ranks: ")
              << 1e3 * t.simulated_s() << " ms\n";
  std::cout << advise_ranks(trials, machine.kind).sentence << '\n';
  // doc]
} catch (const Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
