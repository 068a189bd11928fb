// cli/rank_main.hpp -- main function of programs started by mpirun, from MPI_Init to the exit
// status.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "build_facts.hpp"
#include "help.hpp"

namespace echelon::cli {

struct RankCommand {
  std::function<CLI::App*(CLI::App&)> add;
  std::function<void(const CLI::App&)> run;  // called after the flags have been parsed
};
struct RankProgram {
  std::string name, about;
  std::vector<RankCommand> commands;
  std::vector<Example> examples;
  std::function<BuildFacts()> facts;  // more lines of --version
};

// The return value of main().
int rank_main(int argc, char** argv, const RankProgram& program);

}  // namespace echelon::cli
