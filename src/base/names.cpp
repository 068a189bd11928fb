// base/names.cpp -- what is said of a name that is none of a list.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/names.hpp"

#include "base/refuse.hpp"
#include "echelon/tools/near_names.hpp"

namespace echelon {

std::string join_names(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& name : list)
    text += (text.empty() ? "" : &name == &list.back() ? " or " : ", ") + name;
  return text;
}

void refuse_name(std::string_view what, std::string_view text,
                 const std::vector<std::string>& list) {
  constexpr std::size_t seen_at_once = 5;  // in a list as short as this nobody needs help
  const std::vector<std::string> near =
      list.size() > seen_at_once ? near_names(text, list) : std::vector<std::string>();
  refuse(std::string(what) + " is " + join_names(list) + ", not '" + std::string(text) + "'" +
         (near.empty() ? "" : "; did you mean " + join_names(near) + "?"));
}

}  // namespace echelon
