// cli/flag_list.hpp -- the commands and flags of a program as plain lists.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace echelon::cli {

enum class Takes { nothing, word, choice, file, folder };

struct Flag {
  std::vector<std::string> names;  // "-o", "--out"
  std::string value;               // "FILE"; empty: takes nothing
  Takes takes = Takes::nothing;
  std::vector<std::string> choices;
  std::string group, help;
};
struct CommandPage {
  std::string name, about;
  std::vector<Flag> words;  // positional arguments
  std::vector<Flag> flags;
};

// Without hidden commands and flags; flags in the order of --help-all.
std::vector<CommandPage> list_commands(const CLI::App& program);

// Beginnings of recipes: "laplace2d:".
std::vector<std::string> recipe_names();

}  // namespace echelon::cli
