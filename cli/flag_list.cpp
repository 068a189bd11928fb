// cli/flag_list.cpp -- the commands and flags of a program as plain lists.
// SPDX-License-Identifier: BSD-3-Clause
#include "flag_list.hpp"

#include <algorithm>
#include <sstream>

#include "echelon/generate.hpp"
#include "help.hpp"
#include "options.hpp"

namespace echelon::cli {
namespace {

// "lower|upper|full" as words; none if it is something else, such as "RE|NUMBER:STEPS".
std::vector<std::string> words_of(const std::string& type) {
  std::vector<std::string> words;
  std::istringstream in(type);
  for (std::string word; std::getline(in, word, '|');) {
    const auto plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (std::all_of(word.begin(), word.end(), plain)) words.push_back(word);
  }
  return type.find('|') == std::string::npos ? std::vector<std::string>{} : words;
}

Flag flag_of(const CLI::Option& option) {
  Flag flag;
  if (option.get_positional()) flag.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  flag.group = option.get_group();
  flag.help = option.get_description();
  if (option.get_type_size() == 0 || option.get_items_expected_max() == 0) return flag;
  flag.value = option.get_type_name();
  flag.choices = choices_of(option);
  if (flag.choices.empty()) flag.choices = words_of(flag.value);
  const bool is_input = option.get_positional() && flag.names.front() == "INPUT";
  flag.takes = !flag.choices.empty()                        ? Takes::choice
               : flag.value.starts_with("FILE") || is_input ? Takes::file
               : flag.value == "DIR"                        ? Takes::folder
                                                            : Takes::word;
  return flag;
}

}  // namespace

std::vector<CommandPage> list_commands(const CLI::App& program) {
  std::vector<CommandPage> pages;
  for (const CLI::App* app : program.get_subcommands({})) {
    if (app->get_group().empty()) continue;
    CommandPage page{app->get_name(), app->get_description(), {}, {}};
    std::vector<std::string> shown;
    for (const bool rare : {false, true})
      for (const CLI::Option* option : app->get_options()) {
        if (option->get_group().empty() || is_rare(option->get_group()) != rare) continue;
        (option->get_positional() ? page.words : page.flags).push_back(flag_of(*option));
      }
    std::stable_sort(page.flags.begin(), page.flags.end(), [](const Flag& a, const Flag& b) {
      return place_of_group(a.group) < place_of_group(b.group);
    });
    pages.push_back(std::move(page));
  }
  return pages;
}

std::vector<std::string> recipe_names() {
  std::vector<std::string> names;
  std::istringstream lines(spec_help());
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t colon = line.find(':'); colon != std::string::npos)
      names.push_back(line.substr(0, colon + 1));
  return names;
}

}  // namespace echelon::cli
