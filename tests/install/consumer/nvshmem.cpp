// tests/install/consumer/nvshmem.cpp -- a user's program on GPUs.  Where there is none, an error.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/nvshmem.hpp"

#include <iostream>

#include "echelon/echelon.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    const auto a = echelon::generate<double>("laplace2d:4x4:5");
    const echelon::Factors<double> factors = echelon::factor_ic0<double>(a);
    const echelon::NvshmemSolver<double> solver(MPI_COMM_WORLD, &factors);
    status = solver.solve(std::vector<double>(16, 1.0))[0] > 0 ? 0 : 2;
  } catch (const echelon::Error& error) {
    std::cout << error.what() << '\n';
    status = error.code() == echelon::ErrorCode::backend_missing && echelon::count_devices() == 0
                 ? 0
                 : 3;
  }
  MPI_Finalize();
  return status;
}
