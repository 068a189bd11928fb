// cli/completion.cpp -- scripts by which shells complete the words of a command line.
// SPDX-License-Identifier: BSD-3-Clause
#include "completion.hpp"

#include "flag_list.hpp"

namespace echelon::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// "_echelon_mpi" for echelon-mpi.
std::string function_of(const std::string& program) { return "_" + replaced(program, "-", "_"); }

std::string bash_value(const Flag& flag) {
  switch (flag.takes) {
    case Takes::choice:
      return "words='" + joined(flag.choices, " ") + "'";
    case Takes::file:
      return "kind=file";
    case Takes::folder:
      return "kind=folder";
    case Takes::word:
    case Takes::nothing:
      break;
  }
  return "kind=none";
}

std::string bash_command(const CommandPage& page) {
  std::string names, values;
  for (const Flag& flag : page.flags) {
    names += (names.empty() ? "" : " ") + joined(flag.names, " ");
    if (flag.takes != Takes::nothing)
      values += "      " + joined(flag.names, " | ") + ") " + bash_value(flag) + " ;;\n";
  }
  const bool input = !page.words.empty();
  return "  " + page.name + ")\n    flags='" + names + "'\n    case $prev in\n" + values +
         "      *) kind=" + (input ? "input" : "none") + " ;;\n    esac\n    ;;\n";
}

std::string bash_script(const std::string& program, const std::vector<CommandPage>& pages) {
  std::string commands, cases;
  for (const CommandPage& page : pages) {
    commands += (commands.empty() ? "" : " ") + page.name;
    cases += bash_command(page);
  }
  const std::string function = function_of(program);
  return "# bash completion for " + program + "\n" + function +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]} flags= words= kind= word\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -le 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         commands +
         " --help --help-all --version' -- \"$cur\"))\n    return\n  fi\n"
         "  [ \"$cur\" = '=' ] && cur=\n"
         "  if [ \"$prev\" = '=' ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  case $command in\n" +
         cases +
         "  *) return ;;\n  esac\n"
         "  case $cur in -*) kind=; words=$flags ;; esac\n"
         "  case $kind in\n"
         "  file) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"
         "  folder) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n"
         "  none) return ;;\n"
         "  input)\n    compopt -o filenames\n"
         "    COMPREPLY=($(compgen -f -- \"$cur\") $(compgen -W '" +
         joined(recipe_names(), " ") +
         "' -- \"$cur\"))\n"
         "    case ${COMPREPLY[0]-} in *:) compopt -o nospace ;; esac\n    return ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
         "complete -F " +
         function + " " + program + "\n";
}

// Inside single quotes and the brackets of _arguments.
std::string zsh_text(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"})
    text = replaced(text, special, std::string("\\") + special);
  return replaced(text, "'", "'\\''");
}

std::string zsh_value(const Flag& flag) {
  if (flag.takes == Takes::nothing) return "";
  const std::string title = ":" + zsh_text(flag.value.empty() ? "value" : flag.value) + ":";
  switch (flag.takes) {
    case Takes::choice:
      return title + "(" + joined(flag.choices, " ") + ")";
    case Takes::file:
      return title + "_files";
    case Takes::folder:
      return title + "_files -/";
    default:
      return title + " ";
  }
}

std::string zsh_script(const std::string& program, const std::vector<CommandPage>& pages) {
  std::string commands, cases;
  for (const CommandPage& page : pages) {
    commands += "    '" + zsh_text(page.name) + ":" + zsh_text(page.about) + "'\n";
    cases += "    " + page.name + ")\n      _arguments \\\n";
    for (const Flag& flag : page.flags)
      for (const std::string& name : flag.names)
        cases += "        '" + name +
                 (flag.takes != Takes::nothing && name.starts_with("--") ? "=" : "") + "[" +
                 zsh_text(flag.help) + "]" + zsh_value(flag) + "' \\\n";
    cases += page.words.empty()
                 ? "        && return\n"
                 : "        '*:INPUT:" + function_of(program) + "_input' && return\n";
    cases += "      ;;\n";
  }
  const std::string function = function_of(program);
  return "#compdef " + program + "\n" + function + "_input() {\n  compadd -S '' -- " +
         joined(recipe_names(), " ") + "\n  _files\n}\n" + function +
         "() {\n  local -a commands\n  commands=(\n" + commands +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe -t commands command commands\n"
         "    _arguments '--help[help]' '--help-all[all flags]' '--version[versions]'\n"
         "    return\n  fi\n"
         "  local command=$words[2]\n"
         "  shift words; (( CURRENT-- ))\n"
         "  case $command in\n" +
         cases + "  esac\n}\n" + function + " \"$@\"\n";
}

std::string fish_text(std::string text) {
  text = replaced(text, "\\", "\\\\");
  return "'" + replaced(text, "'", "\\'") + "'";
}

std::string fish_flag(const std::string& begin, const Flag& flag) {
  std::string line = begin;
  for (const std::string& name : flag.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (flag.takes == Takes::choice) line += " -x -a " + fish_text(joined(flag.choices, " "));
  if (flag.takes == Takes::word) line += " -x";
  if (flag.takes == Takes::file) line += " -r -F";
  if (flag.takes == Takes::folder) line += " -x -a '(__fish_complete_directories)'";
  return line + " -d " + fish_text(flag.help) + "\n";
}

std::string fish_script(const std::string& program, const std::vector<CommandPage>& pages) {
  const std::string begin = "complete -c " + program;
  std::string text =
      "# fish completion for " + program + "\n" + begin + " -n __fish_use_subcommand -f\n";
  for (const CommandPage& page : pages)
    text +=
        begin + " -n __fish_use_subcommand -a " + page.name + " -d " + fish_text(page.about) + "\n";
  text += begin + " -n __fish_use_subcommand -l help -l help-all -l version\n";
  for (const CommandPage& page : pages) {
    const std::string within = begin + " -n '__fish_seen_subcommand_from " + page.name + "'";
    if (!page.words.empty())
      text += within + " -a " + fish_text(joined(recipe_names(), " ")) + "\n";
    for (const Flag& flag : page.flags) text += fish_flag(within, flag);
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& program, Shell shell) {
  const std::vector<CommandPage> pages = list_commands(program);
  switch (shell) {
    case Shell::zsh:
      return zsh_script(program.get_name(), pages);
    case Shell::fish:
      return fish_script(program.get_name(), pages);
    case Shell::bash:
      break;
  }
  return bash_script(program.get_name(), pages);
}

}  // namespace echelon::cli
