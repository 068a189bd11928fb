// tests/mpi/test_mpi_faults.cpp -- the errors of the other ranks when rank 1 fails, at any point.
// SPDX-License-Identifier: BSD-3-Clause
//
// Run:  mpirun -n 3 test_mpi_faults HOW payload|counter|two_sided
//   stop, kill  rank 1 stops or ends itself while all solve
//   leave       rank 1 does not call the second solve
//   absent      rank 1 makes no solver
//   setup       rank 1 stops while it reads its factors
//   report      rank 1 does not call report()
//   keep        rank 1 does not destroy its solver
// The others must throw within the timeout, and name rank 1 if it can be known; each prints its
// error.  With `keep` nothing may be thrown: they print that they are done.
#include <unistd.h>

#include <iostream>
#include <string>

#include "echelon/generate.hpp"
#include "echelon/mpi.hpp"
#include "mpi/fall.hpp"

using namespace echelon;

namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

Engine engine_of(const std::string& text) {
  for (const Engine engine : {Engine::payload, Engine::counter})
    if (text == name(engine)) return engine;
  return Engine::two_sided;
}

class Faults {
 public:
  Faults(std::string how, Engine engine)
      : how_(std::move(how)),
        engine_(engine),
        rank_(rank_of_world()),
        a_(generate<double>("laplace2d:20x20:5")) {}

  void run() {
    if (rank_ == 1 && how_ == "absent") sleep(30);
    if (how_ == "setup") return stop_in_setup();
    if (rank_ == 0) factors_ = factor_superlu<double>(a_);
    // A setup has ten times the timeout.
    const MpiSolver<double> solver(MPI_COMM_WORLD, rank_ == 0 ? &factors_ : nullptr,
                                   options(how_ == "absent" ? 0.2 : 2));
    if (rank_ == 1 && (how_ == "stop" || how_ == "kill"))
      test::fall_in(200, how_ == "kill" ? SIGKILL : SIGSTOP);
    for (int k = 0; k < 100000000; ++k) {
      const bool away = k == 1 && rank_ == 1;
      if (away && (how_ == "leave" || how_ == "report" || how_ == "keep")) sleep(30);
      if (k == 1 && how_ == "report") solver.report();
      if (k == 1 && how_ == "keep") return;
      solve(solver);
    }
  }

 private:
  MpiOptions options(double timeout_s) const {
    return {.ranks = {.mapping = Mapping::cyclic, .timeout_s = timeout_s}, .engine = engine_};
  }
  void solve(const MpiSolver<double>& solver) const {
    const Index mine = rank_ == 0 ? a_.rows : 0;
    std::vector<double> b(static_cast<std::size_t>(a_.rows), 1.0), x(b.size());
    solver.solve(Vectors<const double>(b.data(), mine), Vectors<double>(x.data(), mine));
  }
  void stop_in_setup() {
    factors_ = factor_superlu<double>(a_);
    RankFactors<double> f = distribute_factors(factors_, 16);
    if (rank_ == 1)
      f.lower_rows = [](Index, std::span<const Index>, double*, Offset) { std::raise(SIGSTOP); };
    const MpiSolver<double> solver(MPI_COMM_WORLD, f, options(0.2));
  }

  std::string how_;
  Engine engine_;
  int rank_;
  Csr<double> a_;
  Factors<double> factors_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string how = argc > 1 ? argv[1] : "stop";
  try {
    Faults(how, engine_of(argc > 2 ? argv[2] : "payload")).run();
    std::cout << "rank " << rank_of_world() << " is through" << std::endl;
  } catch (const Error& error) {
    std::cout << "rank " << rank_of_world() << " threw " << name(error.code()) << ": "
              << error.what() << std::endl;
  }
  sleep(1);  // lets the others print first
  MPI_Abort(MPI_COMM_WORLD, 3);
}
