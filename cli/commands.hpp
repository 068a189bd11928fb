// cli/commands.hpp -- the commands of the program: how each is declared and run.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace echelon::cli {

// A declared command; run() is called after the command line has been parsed, prints to standard
// output, and throws Error or UsageError.
struct Command {
  CLI::App* app = nullptr;
  std::function<void()> run;
};

Command add_inspect(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_factor(CLI::App& program);
Command add_solve(CLI::App& program);
Command add_smooth(CLI::App& program);
Command add_bench(CLI::App& program);
Command add_model(CLI::App& program);
Command add_calibrate(CLI::App& program);

}  // namespace echelon::cli
