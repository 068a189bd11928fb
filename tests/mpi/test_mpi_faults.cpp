// tests/mpi/test_mpi_faults.cpp -- what the others say when rank 1 stops or dies while all solve.
// SPDX-License-Identifier: BSD-3-Clause
//
// Run:  mpirun -n 3 test_mpi_faults stop|kill|leave payload|counter|two_sided
// Rank 1 stops itself (kill: ends itself) after a while; leave: it does not come to the second
// solve.  The others must throw within the time-out, naming it; each prints its error.
#include <unistd.h>

#include <iostream>
#include <string>

#include "echelon/generate.hpp"
#include "echelon/mpi.hpp"
#include "mpi/fall.hpp"

using namespace echelon;

namespace {

Engine engine_of(const std::string& text) {
  for (const Engine engine : {Engine::payload, Engine::counter})
    if (text == name(engine)) return engine;
  return Engine::two_sided;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string how = argc > 1 ? argv[1] : "stop";
  const auto a = generate<double>("laplace2d:20x20:5");
  Factors<double> f;
  if (rank == 0) f = factor_superlu<double>(a);
  const MpiSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr,
                                 {.engine = engine_of(argc > 2 ? argv[2] : "payload"),
                                  .mapping = Mapping::cyclic,
                                  .timeout_s = 2});
  const Index mine = rank == 0 ? a.rows : 0;
  std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0), x(b.size());
  if (rank == 1 && how != "leave") test::fall_in(200, how == "kill" ? SIGKILL : SIGSTOP);
  try {
    for (int k = 0; k < 100000000; ++k) {
      if (k == 1 && rank == 1 && how == "leave") sleep(30);
      solver.solve(Vectors<const double>(b.data(), mine), Vectors<double>(x.data(), mine));
    }
  } catch (const Error& error) {
    std::cout << "rank " << rank << " threw " << name(error.code()) << ": " << error.what()
              << std::endl;
    sleep(1);  // the others have their say too
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
