// cli/paperwork.hpp -- the hidden commands that write completions and manual pages.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>

namespace echelon::cli {

// Adds `completion SHELL` and `man [COMMAND]`, which the build calls.
void add_paperwork(CLI::App& program);

// Whether the command line is one of them: it needs no MPI.
bool is_paperwork(int argc, char** argv);

// Prints what was asked for; false if the command line was another.
bool run_paperwork(const CLI::App& program);

}  // namespace echelon::cli
