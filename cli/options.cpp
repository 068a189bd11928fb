// cli/options.cpp -- flags of the commands: those shared by several commands, and one per option of
// the library.
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <type_traits>
#include <utility>

#include "help.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(double value) { return digits(value, 6); }
std::string shown(Index value) { return std::to_string(value); }
template <class Enum>
requires std::is_enum_v<Enum> std::string shown(Enum value) { return name(value); }

// The names a value may have, for its help.
template <class Value>
std::string names_for_help(const Value&) {
  if constexpr (HasNames<Value>)
    return ": " + join_names(list_names<Value>());
  else
    return "";
}

void set_value(const std::string& flag, const std::string& text, double& value) {
  value = parse_number(flag, text);
}
void set_value(const std::string& flag, const std::string& text, Index& value) {
  value = parse_count(flag, text, 0, std::numeric_limits<Index>::max());
}

// Flags are in kebab-case: --schedule.task-work sets option schedule.task_work.
std::string flag_of(std::string path) {
  std::replace(path.begin(), path.end(), '_', '-');
  return "--" + path;
}

// The flags of an option: its path, and a short name for the most used ones.
std::string flags_for(const std::string& path) {
  if (path == "cpu.threads") return "--threads,--cpu.threads";
  if (path == "numeric.low_precision") return "--low-precision,--numeric.low-precision";
  return flag_of(path);
}

// Collects the paths of all options.
struct PathList {
  std::vector<std::string> paths = {};
  std::string prefix = {};

  template <class Value>
  void operator()(const char* key, Value& value, const char*) {
    const std::string path = prefix + key;
    if constexpr (requires { value.visit(*this); }) {
      const std::string outer = std::exchange(prefix, path + ".");
      value.visit(*this);
      prefix = outer;
    } else {
      paths.push_back(path);
    }
  }
};

// Help of the library with option paths replaced by flags.
std::string in_flags(std::string text) {
  PathList list;
  Options().visit(list);
  for (const std::string& path : list.paths) {
    const std::size_t at = text.find(path);
    const bool is_word = path.find_first_of("._") == std::string::npos;  // "method", "backend"
    if (at != std::string::npos && !is_word) text.replace(at, path.size(), flag_of(path));
  }
  return text;
}

void set_from_text(Options& options, const std::string& path, const std::string& text) {
  try {
    set_option(options, path, text);
  } catch (const Error& error) {
    throw UsageError(in_flags(error.what()));
  }
}

std::map<const CLI::Option*, std::vector<std::string>>& known_choices() {
  static std::map<const CLI::Option*, std::vector<std::string>> all;
  return all;
}

// Walks a struct of options and adds a flag per option; `set(path, value, text)` sets the value.
template <class Set>
struct Adder {
  CLI::App& app;
  std::string group;
  const std::vector<std::string>& except;
  Set set;
  std::string prefix = {};

  template <class Value>
  void operator()(const char* key, Value& value, const char* help) {
    const std::string path = prefix + key;
    if constexpr (requires { value.visit(*this); }) {
      const std::string outer = std::exchange(prefix, path + ".");
      value.visit(*this);
      prefix = outer;
    } else if (std::find(except.begin(), except.end(), path) == except.end()) {
      CLI::Option* option =
          add(path, value, help + names_for_help(value) + " [" + shown(value) + "]");
      option->group(group);
      if constexpr (HasNames<Value>) known_choices()[option] = list_names<Value>();
    }
  }

  template <class Value>
  CLI::Option* add(const std::string& path, Value& value, const std::string& help) {
    const auto take = [act = set, path, &value](const std::string& text) {
      act(path, value, text);
    };
    return app.add_option_function<std::string>(flags_for(path), take, help)
        ->type_name(std::same_as<Value, Method> ? "METHOD"
                    : std::is_enum_v<Value>     ? "NAME"
                                                : "NUMBER");
  }

  // --name for true, --name=false for false.
  CLI::Option* add(const std::string& path, bool& value, const std::string& help) {
    const auto take = [&value](std::int64_t count) { value = count > 0; };
    return app.add_flag_function(flags_for(path), take, help);
  }
};

// The common ones are in a group of their own.
bool is_of_factorization(const CLI::Option& option) {
  return option.get_group() == factor_group || option.get_group() == groups::factorization;
}

[[noreturn]] void refuse_with(const CLI::Option& option, const std::string& system) {
  throw UsageError(option.get_name() + " does not go with " + system);
}

// Long flags of a command, for suggestions.
std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& flag : option->get_lnames()) names.push_back("--" + flag);
  return names;
}

}  // namespace

CLI::Option* add_count(CLI::App& app, const std::string& flag, Index& value,
                       std::pair<Index, Index> range, const std::string& help) {
  const auto take = [flag, &value, range](const std::string& text) {
    value = parse_count(flag, text, range.first, range.second);
  };
  return app.add_option_function<std::string>(flag, take, help)->type_name("COUNT");
}

CLI::Option* add_number(CLI::App& app, const std::string& flag, double& value,
                        const std::string& help) {
  const auto take = [flag, &value](const std::string& text) {
    value = parse_number(flag, text);
    if (!(value >= 0)) throw UsageError(flag + " is a number of at least 0, not '" + text + "'");
  };
  return app.add_option_function<std::string>(flag, take, help)->type_name("NUMBER");
}

CLI::Option* add_part(CLI::App& app, std::optional<Part>& part) {
  return add_choice(
      app, "--part", part,
      "one triangle (the other is ignored), or full: the whole matrix by its factorization [a "
      "triangular matrix as it is, else full]");
}

CLI::Option* add_out(CLI::App& app, std::string& out, const std::string& help) {
  return app.add_option("-o,--out", out, help)->type_name("FILE");
}

CLI::Option* add_repeat(CLI::App& app, Index& repeat) {
  return add_count(
      app, "--repeat", repeat, {1, 1000000},
      "timed solves, after one warm-up; reports the median [" + std::to_string(repeat) + "]");
}

CLI::Option* add_setups(CLI::App& app, Index& setups) {
  return add_count(app, "--setups", setups, {1, 1000},
                   "timed analyses and setups; reports the medians [" +
                       (setups > 0 ? std::to_string(setups) : "3; 1 if they are slow") + "]");
}

CLI::Option* add_nrhs(CLI::App& app, Index& nrhs) {
  return add_count(app, "--nrhs", nrhs, {1, 1 << 20},
                   nrhs > 0 ? "right-hand sides solved together [1]"
                            : "right-hand sides solved together [1, or as many as a file has]");
}

CLI::Option* add_threads(CLI::App& app, Index& threads) {
  return add_count(app, "--threads", threads, {0, CpuOptions::most_threads},
                   "largest number of threads, 0 for all [0]");
}

CLI::Option* add_precision(CLI::App& app, Precision& precision) {
  return add_choice(app, "--precision", precision, "precision of the numbers [double]");
}

CLI::Option* add_json(CLI::App& app, bool& json) {
  return app.add_flag("--json", json, "print one JSON document and nothing else");
}

void add_solver_options(CLI::App& app, Options& options, const std::vector<std::string>& except) {
  const auto set = [&options](const std::string& path, const auto&, const std::string& text) {
    set_from_text(options, path, text);
  };
  Adder<decltype(set)> adder{app, solver_group, except, set};
  options.visit(adder);
}

void add_factor_options(CLI::App& app, FactorOptions& options) {
  const auto set = [](const std::string& path, auto& value, const std::string& text) {
    if constexpr (!std::is_enum_v<std::remove_reference_t<decltype(value)>>)
      set_value(flag_of(path), text, value);
  };
  const std::vector<std::string> except{"factor.order", "factor.solve_on"};  // set by other flags
  Adder<decltype(set)> adder{app, factor_group, except, set, "factor."};
  options.visit(adder);
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const auto place = known_choices().find(&option);
  return place == known_choices().end() ? std::vector<std::string>{} : place->second;
}

bool has_factor_options(const CLI::App& app) {
  const std::vector<const CLI::Option*> options = app.get_options();
  return std::any_of(options.begin(), options.end(), [](const CLI::Option* option) {
    return is_of_factorization(*option) && option->count() > 0;
  });
}

void refuse_factor_options(const CLI::App& app, const std::string& system) {
  for (const CLI::Option* option : app.get_options())
    if (is_of_factorization(*option) && option->count() > 0) refuse_with(*option, system);
}

void refuse_flags(const CLI::App& app, const std::vector<std::string>& flags,
                  const std::string& system) {
  for (const std::string& flag : flags)
    if (const CLI::Option* option = app.get_option(flag); option->count() > 0)
      refuse_with(*option, system);
}

void check_low_precision(const Options& options, Method chosen) {
  if (!options.numeric.low_precision || is_supernodal(chosen)) return;
  throw UsageError(std::string("--low-precision needs a method on supernodes, and ") +
                   name(chosen) + " was chosen: use --method tree or another one");
}

std::string why_refused(const Options& options) {
  if (options.cpu.threads < 0 || options.cpu.threads > CpuOptions::most_threads)
    return "--threads is a whole number from 0 to " + std::to_string(CpuOptions::most_threads) +
           ", not " + std::to_string(options.cpu.threads);
  // An analysis of an empty matrix checks the rest.
  const std::array<Offset, 1> start{0};
  try {
    const Analysis nothing(TrianglePattern{.stored = {Order::rows, 0, 0, start, {}}}, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_argument) throw;
    return in_flags(error.what());
  }
  return "";
}

void check_solver_options(const Options& options) {
  if (const std::string reason = why_refused(options); !reason.empty()) throw UsageError(reason);
}

void refuse_unknown(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const auto flag = std::find_if(extras.begin(), extras.end(),
                                 [](const std::string& text) { return text.starts_with("-"); });
  if (flag == extras.end()) throw UsageError("unexpected argument '" + extras.front() + "'");
  const std::string word = flag->substr(0, flag->find('='));
  throw UsageError("there is no option " + word + suggestion(word, flags_of(app)));
}

void refuse_unknown_command(const CLI::App& program) {
  const std::vector<std::string> extras = program.remaining();
  if (extras.empty()) return;
  if (extras.front().starts_with("-")) refuse_unknown(program);
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  throw UsageError("there is no command '" + extras.front() + "'" +
                   suggestion(extras.front(), names));
}

}  // namespace echelon::cli
