// cli/paperwork.cpp -- the hidden commands that write completions and manual pages.
// SPDX-License-Identifier: BSD-3-Clause
#include "paperwork.hpp"

#include <iostream>
#include <string_view>

#include "completion.hpp"
#include "manual.hpp"
#include "options.hpp"

namespace echelon::cli {

void add_paperwork(CLI::App& program) {
  CLI::App* completion = program.add_subcommand("completion", "print completions for a shell");
  completion->group("")->add_option("SHELL", "bash, zsh or fish")->required();
  CLI::App* man = program.add_subcommand("man", "print a manual page");
  man->group("")->add_option("COMMAND", "a command; without one, the page of the program");
}

bool is_paperwork(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  return word == "completion" || word == "man";
}

bool run_paperwork(const CLI::App& program) {
  const CLI::App* completion = program.get_subcommand("completion");
  const CLI::App* man = program.get_subcommand("man");
  if (completion->parsed()) {
    try {
      const auto shell = parse<Shell>("SHELL", completion->get_option("SHELL")->as<std::string>());
      std::cout << completion_script(program, shell);
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
    return true;
  }
  if (!man->parsed()) return false;
  const CLI::Option* command = man->get_option("COMMAND");
  std::cout << manual_page(program, command->count() > 0 ? command->as<std::string>() : "");
  return true;
}

}  // namespace echelon::cli
