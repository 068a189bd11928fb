// tests/install/consumer/mpi.cpp -- a program of a user: MPI ranks solve, and one catches an error.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/mpi.hpp"

#include <cmath>
#include <iostream>

#include "echelon/echelon.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    const auto a = echelon::generate<double>("laplace2d:4x4:5");
    const echelon::Factors<double> factors = echelon::factor_ic0<double>(a);
    const echelon::MpiSolver<double> solver(MPI_COMM_SELF, &factors);
    const std::vector<double> x = solver.solve(std::vector<double>(16, 1.0));
    std::cout << solver.report();
    status = std::isfinite(x[0]) && x[0] > 0 ? 0 : 2;
    (void)solver.solve(std::vector<double>(15, 1.0));
    status = 3;
  } catch (const echelon::Error& error) {
    if (error.code() != echelon::ErrorCode::bad_argument) status = 4;
    std::cout << error.what() << '\n';
  }
  MPI_Finalize();
  return status;
}
