// echelon/tools/set_by_name.hpp -- sets a field of any struct of options by its name, from text.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  For doors into other languages, which gather several structs under one set of names:
//
//   echelon::FactorOptions factor;
//   echelon::set_by_name(factor, "order", "natural");
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "echelon/error.hpp"
#include "echelon/names.hpp"

#pragma GCC visibility push(default)
namespace echelon {

template <HasNames Enum>
void set_value(std::string_view path, std::string_view text, Enum& value) {
  value = parse<Enum>("option " + std::string(path), text);
}

template <HasNames Enum>
void set_value(std::string_view path, std::string_view text, std::optional<Enum>& value) {
  value = parse<Enum>("option " + std::string(path), text);
}

inline void set_value(std::string_view path, std::string_view text, bool& value) {
  if (text == "true" || text == "1" || text == "yes")
    value = true;
  else if (text == "false" || text == "0" || text == "no")
    value = false;
  else
    throw Error(ErrorCode::bad_argument, "option " + std::string(path) +
                                             " is true or false, not '" + std::string(text) + "'");
}

template <class Number>
requires std::is_arithmetic_v<Number>
void set_value(std::string_view path, std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(ErrorCode::bad_argument,
                "option " + std::string(path) + " is a number, not '" + std::string(text) + "'");
}

// Walks the options, sets the one named, and collects all names on the way.
struct SetByName {
  std::string_view path;
  std::string_view text;
  std::string prefix = {};
  std::vector<std::string> names = {};
  bool found = false;

  template <class Value>
  void operator()(const char* key, Value& value, const char*) {
    const std::string full = prefix + key;
    if constexpr (requires { value.visit(*this); }) {
      const std::string outer = std::exchange(prefix, full + ".");
      value.visit(*this);
      prefix = outer;
    } else {
      names.push_back(full);
      if (full != path) return;
      set_value(path, text, value);
      found = true;
    }
  }
};

// Throws bad_argument: there is no such option; lists the near ones, or all.
[[noreturn]] void refuse_option(std::string_view path, const std::vector<std::string>& names);

// `options` has a visit(visitor).  Throws bad_argument for an unknown name, listing the near ones,
// or for text that is no such value.
template <class Options>
void set_by_name(Options& options, std::string_view path, std::string_view text) {
  SetByName setter{path, text};
  options.visit(setter);
  if (!setter.found) refuse_option(path, setter.names);
}

}  // namespace echelon
#pragma GCC visibility pop
