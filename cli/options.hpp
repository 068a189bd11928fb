// cli/options.hpp -- flags of the commands: those shared by several commands, and one per option of
// the library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "echelon/factor.hpp"
#include "echelon/solver.hpp"
#include "scalar.hpp"
#include "usage.hpp"

namespace echelon::cli {

// What is solved: one triangle of the matrix, or the whole matrix by its factorization.
enum class Part { lower, upper, full };
constexpr auto names(Part) {
  return name_table<Part>({{Part::lower, "lower"}, {Part::upper, "upper"}, {Part::full, "full"}});
}
constexpr Uplo uplo_of(Part part) { return part == Part::upper ? Uplo::upper : Uplo::lower; }

constexpr Index usual_repeat = 9;  // timed solves; odd, so that the median is one of them

// An option whose value is one of the names of an enum; `set(value)` takes it.
template <HasNames Enum, class Set>
CLI::Option* add_choice_function(CLI::App& app, const std::string& flag, const Set& set,
                                 const std::string& help) {
  const std::string shown = flag.substr(0, flag.find(','));
  const auto take = [shown, set](const std::string& text) {
    try {
      set(parse<Enum>(shown, text));
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  };
  std::string list;
  for (const std::string& name : list_names<Enum>()) list += (list.empty() ? "" : "|") + name;
  return app.add_option_function<std::string>(flag, take, help)->type_name(list);
}
template <HasNames Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Enum& value,
                        const std::string& help) {
  return add_choice_function<Enum>(
      app, flag, [&value](Enum given) { value = given; }, help);
}
template <HasNames Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, std::optional<Enum>& value,
                        const std::string& help) {
  return add_choice_function<Enum>(
      app, flag, [&value](Enum given) { value = given; }, help);
}

// A whole number from `least` to `most`.
CLI::Option* add_count(CLI::App& app, const std::string& flag, Index& value,
                       std::pair<Index, Index> range, const std::string& help);

// A number from 0 on, or inf; not NaN.
CLI::Option* add_number(CLI::App& app, const std::string& flag, double& value,
                        const std::string& help);

// Flags with the same meaning in every command.
CLI::Option* add_part(CLI::App& app, std::optional<Part>& part);
CLI::Option* add_out(CLI::App& app, std::string& out, const std::string& help);
CLI::Option* add_repeat(CLI::App& app, Index& repeat);
CLI::Option* add_setups(CLI::App& app, Index& setups);    // 0: up to 3, as time allows
CLI::Option* add_nrhs(CLI::App& app, Index& nrhs);        // 0: as many as the file has, or one
CLI::Option* add_threads(CLI::App& app, Index& threads);  // for commands without solver options
CLI::Option* add_precision(CLI::App& app, Precision& precision);
CLI::Option* add_json(CLI::App& app, bool& json);

// One flag per option of the solver (--cpu.threads, --schedule.task-work, ...), generated from the
// options' own list, without those in `except`. --threads is short for --cpu.threads.
void add_solver_options(CLI::App& app, Options& options,
                        const std::vector<std::string>& except = {});

// The same for the options of the factorizations (--factor.scale, ...), except the order.
void add_factor_options(CLI::App& app, FactorOptions& options);

constexpr const char* solver_group = "Solver options";
constexpr const char* factor_group = "Factor options";

// The names that the value of an option may have, of options made from the library's list; else
// empty.
std::vector<std::string> choices_of(const CLI::Option& option);

// Whether a flag of the group was given.
bool has_factor_options(const CLI::App& app);

// Throws UsageError for the first given flag of the group, or of the list: "--unit does not go with
// " and the system.
void refuse_factor_options(const CLI::App& app, const std::string& system);
void refuse_flags(const CLI::App& app, const std::vector<std::string>& flags,
                  const std::string& system);

// Throws UsageError if --low-precision is given and `chosen`, the method that runs, does not use
// panels.
void check_low_precision(const Options& options, Method chosen);

// The reason why options are out of range or contradict each other; empty if they are valid.
std::string why_refused(const Options& options);
// Throws UsageError with this reason.
void check_solver_options(const Options& options);

// Throws UsageError for arguments the parser does not know, with similar names.
void refuse_unknown(const CLI::App& app);
// Throws UsageError if no argument is a command of the program, with similar names.
void refuse_unknown_command(const CLI::App& program);

}  // namespace echelon::cli
