// examples/08_mpi.cpp -- factor on rank 0, solve on all ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
//   mpicxx -std=c++20 08_mpi.cpp $(pkg-config --cflags --libs echelon-mpi) -o 08_mpi
//   mpirun -n 2 ./08_mpi
//   ...
//   x(0) = 2.182
// [doc
#include <echelon/echelon.hpp>
#include <echelon/mpi.hpp>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    echelon::Factors<double> factors;  // filled in on rank 0
    if (rank == 0)
      factors = echelon::factor_by_name<double>(echelon::factor_packages().front(),
                                                echelon::generate<double>("laplace2d:40x40:5"));
    const echelon::MpiSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &factors : nullptr);

    const echelon::RowRange mine = solver.rows();  // all rows on rank 0, none elsewhere
    const echelon::Index height = mine.end - mine.begin;
    const std::vector<double> b(height, 1.0);
    std::vector<double> x(height);
    solver.solve(b, x);  // A x = b, as often as you like

    const echelon::MpiReport report = solver.report();  // all ranks take part
    if (rank == 0) std::cout << report << "x(0) = " << x.front() << '\n';
  } catch (const echelon::Error& error) {
    std::cerr << "rank " << rank << ": " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);  // other ranks may still wait for this one
  }
  MPI_Finalize();  // after the solver was destroyed
}
// doc]
