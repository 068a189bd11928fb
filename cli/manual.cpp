// cli/manual.cpp -- the manual pages of a program, in the language of man(7).
// SPDX-License-Identifier: BSD-3-Clause
#include "manual.hpp"

#include <algorithm>

#include "echelon/version.hpp"
#include "flag_list.hpp"
#include "help.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

// Backslashes, hyphens that are typed, and lines that would begin with a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with(".") || out.starts_with("'") ? "\\&" + out : out;
}
std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string slanted(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::string head(const std::string& title, const std::string& about) {
  return ".TH " + upper(title) + " 1 \"\" \"Echelon " ECHELON_VERSION "\" \"User Commands\"\n" +
         ".SH NAME\n" + roff(title) + " \\- " + roff(about) + "\n";
}

std::string entry(const Flag& flag) {
  std::string names;
  for (const std::string& name : flag.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (!flag.value.empty() && flag.takes != Takes::nothing) names += " " + slanted(flag.value);
  return ".TP\n" + names + "\n" + roff(flag.help) + "\n";
}

std::string exit_status() {
  return ".SH EXIT STATUS\n.TP\n0\nsuccess\n.TP\n1\nfailure; one line on standard error says what "
         "failed and where\n.TP\n2\na mistake in the command line\n.TP\n130, 143\nended by "
         "Ctrl\\-C or SIGTERM; no unfinished file is left\n";
}

std::string command_page(const std::string& program, const CommandPage& page) {
  std::string text = head(program + "-" + page.name, page.about) + ".SH SYNOPSIS\n" +
                     bold(program + " " + page.name);
  for (const Flag& word : page.words) text += " " + slanted(word.names.front());
  text += " [" + slanted("FLAGS") + "]\n";
  if (!page.words.empty()) text += ".SH ARGUMENTS\n";
  for (const Flag& word : page.words)
    text += ".TP\n" + slanted(word.names.front()) + "\n" + roff(word.help) + "\n";
  std::string group;
  text += ".SH FLAGS\n";
  for (const Flag& flag : page.flags) {
    if (flag.group != group) text += ".SS " + roff(flag.group) + "\n";
    group = flag.group;
    text += entry(flag);
  }
  return text + exit_status() + ".SH SEE ALSO\n" + bold(program) + "(1)\n";
}

std::string program_page(const CLI::App& program, const std::vector<CommandPage>& pages) {
  const std::string& name = program.get_name();
  std::string about = program.get_description();
  if (about.ends_with('.')) about.pop_back();
  std::string text = head(name, about) + ".SH SYNOPSIS\n" + bold(name) + " " + slanted("COMMAND") +
                     " [" + slanted("FLAGS") + "]\n.br\n" + bold(name) +
                     " \\-\\-help | \\-\\-version\n.SH COMMANDS\n";
  for (const CommandPage& page : pages)
    text += ".TP\n" + bold(page.name) + "\n" + roff(page.about) + "\n";
  if (name == "echelon") {
    text += ".SH EXAMPLES\n";
    for (const Example& e : examples_of_echelon())
      text += ".TP\n" + bold(e.command) + "\n" + roff(e.does) + "\n";
  }
  text += ".SH ENVIRONMENT\n.TP\n" + bold("NO_COLOR") +
          "\nif set, the output has no colours\n.TP\n" + bold("OMP_NUM_THREADS") +
          "\nthe number of threads where no flag gives it\n" + exit_status() + ".SH SEE ALSO\n";
  for (const CommandPage& page : pages)
    text += bold(name + "-" + page.name) + (&page == &pages.back() ? "(1)\n" : "(1),\n");
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& program, const std::string& command) {
  const std::vector<CommandPage> pages = list_commands(program);
  if (command.empty()) return program_page(program, pages);
  std::vector<std::string> known;
  for (const CommandPage& page : pages) {
    if (page.name == command) return command_page(program.get_name(), page);
    known.push_back(page.name);
  }
  throw UsageError("there is no command '" + command + "'" + suggestion(command, known));
}

}  // namespace echelon::cli
