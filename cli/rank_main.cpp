// cli/rank_main.cpp -- main function of programs started by mpirun.
// SPDX-License-Identifier: BSD-3-Clause
//
// Exit status as of echelon.  An error in the input or the flags is printed once, by rank 0, and
// all ranks exit.  If a rank stops answering, the others call MPI_Abort.
#include "rank_main.hpp"

#include <iostream>
#include <new>

#include "build_facts.hpp"
#include "help.hpp"
#include "paperwork.hpp"
#include "rank_solve.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace echelon::cli {
namespace {

enum Status { done = 0, failed = 1, misused = 2 };

Status complain(const std::string& name, const std::string& text, Status status) {
  if (this_rank() != 0) return status;
  std::cerr << styled(Stream::errors, Style::red, name + ":") << ' ' << text << '\n';
  if (status == misused)
    std::cerr << name << ": see " << name << " --help, or " << name << " COMMAND --help\n";
  return status;
}

// A full disk or a closed pipe is detected only here.
Status finish_output(const std::string& name) {
  std::cout.flush();
  return std::cout.good() ? done : complain(name, "standard output: cannot be written", failed);
}

Status run(int argc, char** argv, const RankProgram& given) {
  CLI::App program(given.about, given.name);
  set_up_help(program);
  program.set_version_flag(
      "--version", [&given] { return version_text(given.name, given.facts()); },
      "print the version and what it was built with, and exit");
  program.require_subcommand(0, 1);
  program.allow_extras();
  std::vector<CLI::App*> apps;
  for (const RankCommand& command : given.commands) {
    apps.push_back(command.add(program));
    apps.back()->allow_extras();
  }
  finish_help(program);
  add_examples(program, given.examples);
  add_paperwork(program);
  try {
    program.parse(argc, argv);
    for (std::size_t k = 0; k < apps.size(); ++k) {
      if (!apps[k]->parsed()) continue;
      refuse_unknown(*apps[k]);
      given.commands[k].run(*apps[k]);
      return finish_output(given.name);
    }
    if (run_paperwork(program)) return finish_output(given.name);
    refuse_unknown_command(program);
    if (this_rank() == 0) std::cout << program.help();
    return done;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain(given.name, error.what(), misused);
    if (this_rank() == 0) program.exit(error, std::cout, std::cerr);
    return done;
  } catch (const UsageError& error) {
    return complain(given.name, error.what(), misused);
  }
}

}  // namespace

int rank_main(int argc, char** argv, const RankProgram& program) {
  if (is_paperwork(argc, argv)) return run(argc, argv, program);
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  end_cleanly_on_signals();
  int status = failed;
  try {
    status = run(argc, argv, program);
  } catch (const Stranded& error) {
    std::cerr << program.name << ": " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, failed);
  } catch (const std::bad_alloc&) {
    std::cerr << program.name << ": out of memory on rank " << this_rank() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, failed);
  } catch (const std::exception& error) {
    status = complain(program.name, error.what(), failed);
  }
  MPI_Finalize();
  return status;
}

}  // namespace echelon::cli
