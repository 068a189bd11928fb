// cli/main.cpp -- the program echelon: finds the command, runs it, turns errors into one line and
// an exit status.
// SPDX-License-Identifier: BSD-3-Clause
//
// Exit status. 0: success, as of the program alone, which prints its help; 1: failure, with one
// line on standard error that says what and where; 2: wrong command line; that of the signal for
// Ctrl-C and its like.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <span>
#include <string>

#include "build_facts.hpp"
#include "commands.hpp"
#include "echelon/error.hpp"
#include "help.hpp"
#include "options.hpp"
#include "paperwork.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

enum Status { done = 0, failed = 1, misused = 2 };

std::string in_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Status complain(const std::string& text, Status status) {
  std::cout.flush();
  std::cerr << styled(Stream::errors, Style::red, "echelon:") << ' '
            << (status == failed ? in_one_line(text) : text) << '\n';
  if (status == misused) std::cerr << "echelon: see echelon --help, or echelon COMMAND --help\n";
  return status;
}

// A full disk or a closed pipe is detected only here.
Status finish_output() {
  std::cout.flush();
  if (std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return done;
  return complain("standard output: cannot be written", failed);
}

Status run_parsed(const CLI::App& program, std::span<const Command> commands) {
  for (const Command& command : commands) {
    if (!command.app->parsed()) continue;
    refuse_unknown(*command.app);
    command.run();
    return finish_output();
  }
  if (run_paperwork(program)) return finish_output();
  refuse_unknown_command(program);
  std::cout << program.help();  // the program alone, which asks what there is
  return finish_output();
}

// Output of the parser: help and version to standard output, the rest as a usage error.
Status report(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() != 0) return complain(error.what(), misused);
  program.exit(error, std::cout, std::cerr);
  return finish_output();
}

Status run(int argc, char** argv) {
  CLI::App program("Sparse triangular solves: analyze once, solve often.", "echelon");
  set_up_help(program);
  program.set_version_flag(
      "--version", [] { return version_text("echelon"); },
      "print the version and what it was built with, and exit");
  program.require_subcommand(0, 1);
  program.allow_extras();
  const std::array commands{add_inspect(program), add_generate(program), add_factor(program),
                            add_solve(program),   add_smooth(program),   add_bench(program),
                            add_model(program),   add_calibrate(program)};
  for (const Command& command : commands) command.app->allow_extras();
  finish_help(program);
  add_examples(program, examples_of_echelon());
  add_paperwork(program);
  try {
    program.parse(argc, argv);
    return run_parsed(program, commands);
  } catch (const CLI::ParseError& error) {
    return report(program, error);
  } catch (const UsageError& error) {
    return complain(error.what(), misused);
  }
}

}  // namespace
}  // namespace echelon::cli

int main(int argc, char** argv) {
  using namespace echelon::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe becomes a failed write
  end_cleanly_on_signals();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", failed);
  } catch (const std::exception& error) {
    return complain(error.what(), failed);
  }
}
