// cli/options.cpp -- flags of the commands: those every command words alike, and one for each
// option of the solver.
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <algorithm>
#include <array>

#include "table.hpp"

namespace echelon::cli {
namespace {

std::string shown(Method value) { return name(value); }
std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(double value) { return digits(value, 6); }
std::string shown(Index value) { return std::to_string(value); }

void set_from_text(Options& options, const std::string& path, const std::string& text) {
  try {
    set_option(options, path, text);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

// Walks the options and adds a flag for each.
struct Adder {
  CLI::App& app;
  Options& options;
  const std::vector<std::string>& except;
  std::string prefix = {};

  template <class Value>
  void operator()(const char* key, Value& value, const char* help) {
    const std::string path = prefix + key;
    if constexpr (requires { value.visit(*this); }) {
      const std::string outer = std::exchange(prefix, path + ".");
      value.visit(*this);
      prefix = outer;
    } else if (std::find(except.begin(), except.end(), path) == except.end()) {
      add(path, value, std::string(help) + " [" + shown(value) + "]")->group("Solver options");
    }
  }

  template <class Value>
  CLI::Option* add(const std::string& path, const Value&, const std::string& help) {
    Options& target = options;
    const std::string flags = path == "cpu.threads" ? "--threads,--cpu.threads" : "--" + path;
    const auto set = [&target, path](const std::string& text) {
      set_from_text(target, path, text);
    };
    return app.add_option_function<std::string>(flags, set, help)
        ->type_name(std::same_as<Value, Method> ? "METHOD" : "NUMBER");
  }

  // --name for true, --name=false for the other.
  CLI::Option* add(const std::string& path, const bool&, const std::string& help) {
    Options& target = options;
    const auto set = [&target, path](std::int64_t count) {
      set_from_text(target, path, count > 0 ? "true" : "false");
    };
    return app.add_flag_function("--" + path, set, help);
  }
};

// Long flags of a command, without the dashes, and the method's help.
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

CLI::Option* add_part(CLI::App& app, Uplo& part) {
  return add_choice<Uplo>(app, "--part", part, {{"lower", Uplo::lower}, {"upper", Uplo::upper}},
                          "which triangle; the other one is ignored [lower]");
}

CLI::Option* add_precision(CLI::App& app, Precision& precision) {
  return add_choice<Precision>(app, "--precision", precision,
                               {{"double", Precision::in_double}, {"float", Precision::in_float}},
                               "of the numbers [double]");
}

CLI::Option* add_json(CLI::App& app, bool& json) {
  return app.add_flag("--json", json, "print one JSON document and nothing else");
}

void add_solver_options(CLI::App& app, Options& options, const std::vector<std::string>& except) {
  Adder adder{app, options, except};
  options.visit(adder);
}

void check_solver_options(const Options& options) {
  if (options.cpu.threads < 0 || options.cpu.threads > most_threads)
    throw UsageError("--threads is a whole number from 0 to " + std::to_string(most_threads) +
                     ", not " + std::to_string(options.cpu.threads));
  // An analysis of nothing checks the rest.
  const std::array<Offset, 1> start{0};
  try {
    const Analysis nothing(TrianglePattern{.stored = {Order::rows, 0, 0, start, {}}}, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_argument) throw;
    throw UsageError(error.what());
  }
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

}  // namespace echelon::cli
