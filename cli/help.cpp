// cli/help.cpp -- the help of the programs: common flags in groups, all of them by --help-all.
// SPDX-License-Identifier: BSD-3-Clause
#include "help.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "options.hpp"
#include "terminal.hpp"

namespace echelon::cli {
namespace {

constexpr const char* rest = "Other flags";
constexpr std::array order{groups::system,      groups::method, groups::factorization,
                           groups::measurement, groups::output, rest};

// Where a flag is shown that is not rare.
const std::map<std::string, const char*>& group_of_flag() {
  static const std::map<std::string, const char*> table = [] {
    std::map<std::string, const char*> all;
    const auto put = [&](const char* group, std::initializer_list<const char*> flags) {
      for (const char* flag : flags) all[flag] = group;
    };
    put(groups::system, {"part", "op", "unit", "nrhs", "layout", "rhs", "alpha", "guess",
                         "from-zero", "precision", "phase", "as-is", "machine", "ranks", "gpus"});
    put(groups::method, {"method", "backend", "threads", "deterministic", "refine", "low-precision",
                         "expected-solves", "sweeps", "direction", "omega", "form", "grid",
                         "engine", "design", "mapping", "tree", "max-panel-columns", "coupled"});
    put(groups::factorization, {"factor", "order"});
    put(groups::measurement,
        {"repeat",        "setups",      "contenders",   "compare",  "methods",      "by-level",
         "whole",         "solves-only", "most-seconds", "in-place", "simulate",     "measured",
         "quick",         "timeout",     "watchdog-ms",  "blocks",   "rhs-per-pass", "mkl-library",
         "cudss-library", "turn",        "python",       "commit"});
    put(groups::output,
        {"out", "json", "report", "pictures", "timeline", "levels", "supernodes", "list", "color"});
    return all;
  }();
  return table;
}

// Breaks a text between words; lines after the first are indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::istringstream words(text);
  std::string out, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}

class HelpLayout : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
    return make_description(app) + "\n" + make_usage(app, name) + make_positionals(app) +
           groups_of(app, mode) + make_subcommands(app, mode) + "\n" + make_footer(app);
  }
  std::string make_expanded(const CLI::App* app) const override {
    return "\n" + app->get_name() + ": " + make_description(app) + make_positionals(app) +
           groups_of(app, CLI::AppFormatMode::All);
  }
  std::string make_description(const CLI::App* app) const override {
    return app->get_description() + "\n";
  }

  std::string groups_of(const CLI::App* app, CLI::AppFormatMode mode) const {
    std::vector<std::string> names(order.begin(), order.end());
    for (const std::string& group : app->get_groups())
      if (std::find(names.begin(), names.end(), group) == names.end()) names.push_back(group);
    std::string text;
    std::size_t hidden = 0;
    for (const std::string& group : names) {
      const std::vector<const CLI::Option*> flags = app->get_options([&](const CLI::Option* flag) {
        return flag->get_group() == group && flag->nonpositional();
      });
      if (group.empty() || flags.empty()) continue;
      if (mode == CLI::AppFormatMode::Normal && is_rare(group))
        hidden += flags.size();
      else
        text += make_group(group, false, flags);
    }
    if (hidden > 0)
      text += "\n" + std::to_string(hidden) +
              " more flags, for the solver and the factorization: " + "--help-all\n";
    return text;
  }

  std::string make_option(const CLI::Option* flag, bool is_positional) const override {
    constexpr std::size_t width = 66;
    std::string left = "  " + make_option_name(flag, is_positional) + make_option_opts(flag);
    left += left.size() < column_width_ ? std::string(column_width_ - left.size(), ' ')
                                        : "\n" + std::string(column_width_, ' ');
    return left + wrapped(make_option_desc(flag), width, column_width_) + "\n";
  }

  // "--threads --cpu.threads COUNT", without CLI11's notes.
  std::string make_option_opts(const CLI::Option* flag) const override {
    if (flag->get_type_size() == 0 || flag->get_type_name().empty()) return "";
    return " " + flag->get_type_name();
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string line = "Usage: " + (name.empty() ? full_name(*app) : name);
    for (const CLI::Option* word : app->get_options())
      if (word->get_positional())
        line += " " +
                (word->get_required() ? word->get_name(true) : "[" + word->get_name(true) + "]") +
                (word->get_items_expected_max() > 1 ? "..." : "");
    if (!app->get_subcommands({}).empty()) line += " COMMAND";
    return line + " [FLAGS]\n";
  }

 private:
  static std::string full_name(const CLI::App& app) {
    return (app.get_parent() != nullptr ? full_name(*app.get_parent()) + " " : "") + app.get_name();
  }
};

}  // namespace

bool is_rare(const std::string& group) { return group == factor_group || group == solver_group; }

std::size_t place_of_group(const std::string& group) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), group) - order.begin());
}

void set_up_help(CLI::App& program) {
  program.formatter(std::make_shared<HelpLayout>());
  program.get_formatter()->column_width(32);
  program.get_formatter()->label("Positionals", "Arguments");
  program.get_formatter()->label("TEXT", "");
  program.set_help_flag("-h,--help", "print the common flags and exit");
  program.set_help_all_flag("--help-all", "print all flags and exit");
}

void finish_help(CLI::App& program) {
  const auto take = [](Color color) { set_color(color); };
  for (CLI::App* command : program.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // a hidden one
    add_choice_function<Color>(*command, "--color", take,
                               "colours: where the output is a terminal and NO_COLOR is not set, "
                               "or as said [auto]");
  }
  std::vector<CLI::App*> apps = program.get_subcommands({});
  for (CLI::App* command : apps)
    if (!command->get_group().empty()) command->group("Commands");
  apps.push_back(&program);
  for (CLI::App* app : apps)
    for (CLI::Option* flag : app->get_options()) {
      if (flag->get_positional()) continue;
      const std::string name = flag->get_lnames().empty() ? "" : flag->get_lnames().front();
      const auto place = group_of_flag().find(name);
      if (place != group_of_flag().end())
        flag->group(place->second);
      else if (!is_rare(flag->get_group()))
        flag->group(rest);
    }
}

const std::vector<Example>& examples_of_echelon() {
  static const std::vector<Example> list{
      {"echelon inspect lower.mtx", "what a matrix is like, and how it would be solved"},
      {"echelon solve a.mtx --rhs b.mtx -o x.mtx", "solve A x = b and write x"},
      {"echelon solve laplace3d:100 --part lower", "time the lower triangle of a test problem"},
      {"echelon bench elasticity3d:20", "time all methods and other libraries"},
      {"echelon generate --list", "the test problems"},
      {"echelon inspect a.mtx --part full --report r.html", "a page with pictures and forecasts"}};
  return list;
}

void add_examples(CLI::App& program, const std::vector<Example>& examples) {
  std::string text = "Examples:\n";
  std::size_t width = 0;
  for (const Example& e : examples) width = std::max(width, e.command.size());
  for (const Example& e : examples)
    text += "  " + e.command + std::string(width + 2 - e.command.size(), ' ') + e.does + "\n";
  program.footer(text + "\nFlags of a command: " + program.get_name() + " COMMAND --help");
}

}  // namespace echelon::cli
