// base/near_names.cpp -- names that differ from a word by few letters.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/near_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace echelon {
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

}  // namespace

std::vector<std::string> near_names(std::string_view word, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : known) {
    const std::size_t far = distance(word, name);
    const bool ends_so = word.size() > 2 && name.size() > word.size() && name.ends_with(word) &&
                         name[name.size() - word.size() - 1] == '.';
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

}  // namespace echelon
