// cli/completion.hpp -- scripts by which shells complete the words of a command line.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "echelon/names.hpp"

namespace echelon::cli {

enum class Shell { bash, zsh, fish };
constexpr auto names(Shell) {
  return name_table<Shell>({{Shell::bash, "bash"}, {Shell::zsh, "zsh"}, {Shell::fish, "fish"}});
}

// The script for a shell, made from the commands and flags of the program.
std::string completion_script(const CLI::App& program, Shell shell);

}  // namespace echelon::cli
