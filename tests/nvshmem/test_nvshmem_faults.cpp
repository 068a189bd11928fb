// tests/nvshmem/test_nvshmem_faults.cpp -- the errors of the other PEs when PE 1 stops, dies or
// does not arrive, and of all PEs when the heap is too small.
// SPDX-License-Identifier: BSD-3-Clause
//
// Run:  mpirun -n 2 test_nvshmem_faults stop|kill|leave|heap|some persistent|coupled
// some: PE 0 has had a solver of its own before, so NVSHMEM runs only there.
#include <unistd.h>

#include <iostream>

#include "echelon/device.hpp"
#include "echelon/generate.hpp"
#include "echelon/nvshmem.hpp"
#include "exec/nvshmem/pe.hpp"
#include "mpi/fall.hpp"

using namespace echelon;

namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

bool has_device() try {
  find_device();
  return true;
} catch (const Error& error) {
  if (rank_of_world() == 0) std::cout << "skipped: " << error.what() << std::endl;
  return false;
}

// More memory than any GPU has.
void ask_for_too_much() {
  Communicator comm(MPI_COMM_WORLD, 10);
  Pe pe(comm);
  pe.allocate(std::size_t{1} << 42);
}

void start_on_some() {
  if (rank_of_world() == 0) {
    Communicator alone(MPI_COMM_SELF, 10);
    Pe pe(alone);
  }
  Communicator comm(MPI_COMM_WORLD, 10);
  Pe pe(comm);
}

void solve_for_ever(const std::string& how, Design design) {
  const int rank = rank_of_world();
  const auto a = generate<double>("laplace2d:20x20:5");
  Factors<double> f;
  if (rank == 0) f = factor_superlu<double>(a);
  const NvshmemSolver<double> solver(MPI_COMM_WORLD, rank == 0 ? &f : nullptr,
                                     {.ranks = {.mapping = Mapping::cyclic, .timeout_s = 2},
                                      .design = design,
                                      .watchdog_ms = 500});
  const Index mine = rank == 0 ? a.rows : 0;
  std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0), x(b.size());
  if (rank == 1 && how != "leave") test::fall_in(200, how == "kill" ? SIGKILL : SIGSTOP);
  for (int k = 0; k < 100000000; ++k) {
    if (k == 1 && rank == 1 && how == "leave") sleep(30);
    solver.solve(Vectors<const double>(b.data(), mine), Vectors<double>(x.data(), mine));
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string how = argc > 1 ? argv[1] : "stop", design = argc > 2 ? argv[2] : "persistent";
  if (!has_device()) return MPI_Finalize();
  try {
    if (how == "heap")
      ask_for_too_much();
    else if (how == "some")
      start_on_some();
    else
      solve_for_ever(how, design == "coupled" ? Design::coupled : Design::persistent);
  } catch (const Error& error) {
    std::cout << "rank " << rank_of_world() << " threw " << name(error.code()) << ": "
              << error.what() << std::endl;
    sleep(1);  // lets the others print first
    if (how != "heap" && how != "some") MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Finalize();
  return 0;
}
