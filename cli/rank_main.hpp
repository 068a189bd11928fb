// cli/rank_main.hpp -- main function of programs started by mpirun, from MPI_Init to the exit
// status.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace echelon::cli {

struct RankCommand {
  std::function<CLI::App*(CLI::App&)> add;
  std::function<void(const CLI::App&)> run;  // called after the flags have been parsed
};
struct RankProgram {
  std::string name, about;
  std::vector<RankCommand> commands;
};

// The return value of main().
int rank_main(int argc, char** argv, const RankProgram& program);

}  // namespace echelon::cli
