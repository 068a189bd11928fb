// cli/usage.cpp -- errors of the command line, and parsing of lists and numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include "usage.hpp"

#include <charconv>

#include "echelon/solver.hpp"

namespace echelon::cli {
namespace {

template <class Number>
bool parse_all(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(word, known);
  std::string text;
  for (const std::string& name : near)
    text += (text.empty() ? "; did you mean " : (&name == &near.back() ? " or " : ", ")) + name;
  return text.empty() ? text : text + "?";
}

std::vector<std::string> split_list(std::string_view option, std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma == at)
      throw UsageError(std::string(option) + " has an empty item in '" + std::string(text) + "'");
    words.emplace_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

Index parse_count(std::string_view option, std::string_view text, Index least, Index most) {
  Index value = 0;
  if (!parse_all(text, value) || value < least || value > most)
    throw UsageError(std::string(option) + " is a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most) + ", not '" + std::string(text) + "'");
  return value;
}

double parse_number(std::string_view option, std::string_view text) {
  double value = 0;
  if (!parse_all(text, value))
    throw UsageError(std::string(option) + " is a number, not '" + std::string(text) + "'");
  return value;
}

void parse_grid(const std::string& text, Index& rows, Index& cols) {
  if (text.empty()) return;
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) throw UsageError("--grid is ROWSxCOLUMNS, not '" + text + "'");
  rows = parse_count("--grid", text.substr(0, cross), 1, 1 << 20);
  cols = parse_count("--grid", text.substr(cross + 1), 1, 1 << 20);
}

}  // namespace echelon::cli
