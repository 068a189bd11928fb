// cli/mpi_solve.hpp -- echelon-mpi solve: what it is asked for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "echelon/mpi.hpp"
#include "factor_flags.hpp"
#include "options.hpp"

namespace echelon::cli {

struct MpiSolve {
  std::string input;
  std::string rhs = "ones";
  std::string grid;  // "2x3"; empty: chosen
  Part part = Part::full;
  Precision precision = Precision::in_double;
  Index nrhs = 0;
  Index repeat = 10;
  bool as_is = false;  // the matrix's own triangles are L and U
  bool json = false;
  FactorRequest factor;
  MpiOptions mpi;
};

// A rank has stopped answering; the others cannot end together.
class Stranded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

int this_rank();

CLI::App* add_mpi_solve(CLI::App& program, MpiSolve& solve);

// Collective.  Throws the same on all ranks: Error, UsageError; or Stranded.
void run_mpi_solve(const MpiSolve& o);

}  // namespace echelon::cli
