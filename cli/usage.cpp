// cli/usage.cpp -- what is wrong with a command line: near names, lists and numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include "usage.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

namespace echelon::cli {
namespace {

// Letters to change, add or drop to get from one word to the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

template <class Number>
bool parse_all(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<std::string> near_names(std::string_view word, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : known) {
    const std::size_t far = distance(word, name);
    const bool ends_so = word.size() > 2 && name.ends_with("." + std::string(word));
    if (far <= std::max<std::size_t>(2, name.size() / 3) || ends_so)
      found.emplace_back(ends_so ? 0 : far, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > 3) found.resize(3);
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const auto& [far, name] : found) names.push_back(name);
  return names;
}

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
      throw UsageError(std::string(option) + " has an empty word in '" + std::string(text) + "'");
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

}  // namespace echelon::cli
