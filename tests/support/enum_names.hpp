// tests/support/enum_names.hpp -- checks the table of names of one enum.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "echelon/names.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

// The compiler writes an enumerator as its name, and any other number as a cast: "(Backend)7".
template <class Enum, Enum value>
bool is_enumerator() {
  const std::string text = __PRETTY_FUNCTION__;
  const std::size_t at = text.rfind("value = ") + 8;
  return text[at] != '(' && (text[at] < '0' || text[at] > '9');
}

// Of those from 0 to 63.
template <class Enum>
int count_enumerators() {
  return []<int... k>(std::integer_sequence<int, k...>) {
    return (0 + ... + int{is_enumerator<Enum, static_cast<Enum>(k)>()});
  }
  (std::make_integer_sequence<int, 64>());
}

// Every value has a name of its own, which is read back; a wrong one is refused with all of them.
template <HasNames Enum>
void expect_names() {
  std::set<Enum> values;
  std::set<std::string> texts;
  for (const Named<Enum>& row : names_of<Enum>) {
    EXPECT_TRUE(values.insert(row.value).second) << row.name;
    for (const char* const text : {row.name, row.also}) {
      if (text == nullptr) continue;
      EXPECT_EQ(parse<Enum>("value", text), row.value) << text;
      EXPECT_TRUE(texts.insert(text).second) << text;
    }
    EXPECT_STREQ(name(row.value), row.name);
  }
  EXPECT_EQ(static_cast<int>(values.size()), count_enumerators<Enum>());
  const auto [code, text] = refusal([] { parse<Enum>("value", "nonesuch"); });
  EXPECT_EQ(code, ErrorCode::bad_argument);
  EXPECT_EQ(text, "value is " + join_names(list_names<Enum>()) + ", not 'nonesuch'");
}

}  // namespace echelon::test
