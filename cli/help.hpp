// cli/help.hpp -- the help of the programs: common flags in groups, all of them by --help-all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace echelon::cli {

// The groups of flags, in the order of the help.
namespace groups {
constexpr const char* system = "The system";
constexpr const char* method = "The method";
constexpr const char* factorization = "The factorization";
constexpr const char* measurement = "The measurement";
constexpr const char* output = "Output";
}  // namespace groups

// Call before the commands are added, which inherit it: --help, --help-all and the layout of both.
void set_up_help(CLI::App& program);

// Call after them: --color in every command, and the order of the groups.
void finish_help(CLI::App& program);

struct Example {
  std::string command, does;
};
// Sets the lines below the help of the program.
void add_examples(CLI::App& program, const std::vector<Example>& examples);
const std::vector<Example>& examples_of_echelon();

// The place of a group in the help.
std::size_t place_of_group(const std::string& group);

// Whether --help leaves the group to --help-all.
bool is_rare(const std::string& group);

}  // namespace echelon::cli
