// examples/09_nvshmem.cpp -- factor on PE 0, solve on the GPUs of all PEs.
// SPDX-License-Identifier: BSD-3-Clause
//
//   mpicxx -std=c++20 09_nvshmem.cpp $(pkg-config --cflags --libs echelon-nvshmem) -o 09_nvshmem
//   mpirun -n 2 ./09_nvshmem
//   ...
//   x(0) = 2.182
// [doc
#include <echelon/echelon.hpp>
#include <echelon/nvshmem.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    echelon::Factors<double> factors;  // filled in on PE 0
    if (rank == 0)
      factors = echelon::factor_by_name<double>(echelon::factor_packages().front(),
                                                echelon::generate<double>("laplace2d:40x40:5"));
    const echelon::NvshmemSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &factors : nullptr);

    const echelon::RowRange mine = solver.rows();  // all rows on PE 0, none elsewhere
    const echelon::Index height = mine.end - mine.begin;
    const std::vector<double> b(height, 1.0);
    std::vector<double> x(height);
    solver.solve(b, x);  // A x = b, as often as you like

    const echelon::NvshmemReport report = solver.report();  // all PEs take part
    if (rank == 0) std::cout << report << "x(0) = " << x.front() << '\n';
  } catch (const echelon::Error& error) {
    std::cerr << "PE " << rank << ": " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);  // other PEs may still wait for this one
  }
  MPI_Finalize();  // after the solver was destroyed
}
// doc]
