// cli/mpi_main.cpp -- the program echelon-mpi: a matrix factored on rank 0 and solved with on all.
// SPDX-License-Identifier: BSD-3-Clause
//
// Exit status as of echelon.  What rank 0 reads or is told wrong is said once, and all ranks end;
// after a rank has stopped answering, the others cannot end together, and MPI_Abort ends them.
#include <iostream>
#include <new>

#include "mpi_solve.hpp"

namespace echelon::cli {
namespace {

enum Status { done = 0, failed = 1, misused = 2 };

Status complain(const std::string& text, Status status) {
  if (this_rank() != 0) return status;
  std::cerr << "echelon-mpi: " << text << '\n';
  if (status == misused) std::cerr << "echelon-mpi: see echelon-mpi --help\n";
  return status;
}

Status run(int argc, char** argv) {
  CLI::App program("Sparse triangular solves on many ranks.", "echelon-mpi");
  program.set_version_flag("--version", std::string("echelon-mpi " ECHELON_VERSION));
  program.require_subcommand(1);
  MpiSolve solve;
  CLI::App* const command = add_mpi_solve(program, solve);
  command->allow_extras();
  try {
    program.parse(argc, argv);
    refuse_unknown(*command);
    run_mpi_solve(solve);
    std::cout.flush();
    return done;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain(error.what(), misused);
    if (this_rank() == 0) program.exit(error, std::cout, std::cerr);
    return done;
  } catch (const UsageError& error) {
    return complain(error.what(), misused);
  }
}

}  // namespace
}  // namespace echelon::cli

int main(int argc, char** argv) {
  using namespace echelon::cli;
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  int status = failed;
  try {
    status = run(argc, argv);
  } catch (const Stranded& error) {
    std::cerr << "echelon-mpi: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, failed);
  } catch (const std::bad_alloc&) {
    std::cerr << "echelon-mpi: out of memory on rank " << this_rank() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, failed);
  } catch (const std::exception& error) {
    status = complain(error.what(), failed);
  }
  MPI_Finalize();
  return status;
}
