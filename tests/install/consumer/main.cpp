// tests/install/consumer/main.cpp -- a user's program: solves a bidiagonal system.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/echelon.hpp"

int main() {
  const auto l = echelon::generate<double>("bidiagonal:4");
  const std::vector<double> b(4, 1.0);
  const std::vector<double> x = echelon::Solver(echelon::lower(l)).solve(b);
  return x.size() == 4 && x[0] > 0 ? 0 : 1;
}
