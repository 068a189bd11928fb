// cli/manual.hpp -- the manual pages of a program, in the language of man(7).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace echelon::cli {

// The page of a command, or for an empty name that of the program.  Throws UsageError if there is
// no such command.
std::string manual_page(const CLI::App& program, const std::string& command);

}  // namespace echelon::cli
