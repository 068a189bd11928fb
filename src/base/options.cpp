// base/options.cpp -- options set by name, and those that follow from others.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/options.hpp"

#include <charconv>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/refuse.hpp"
#include "echelon/tools/near_names.hpp"

namespace echelon {
namespace {

template <HasNames Enum>
void set_value(std::string_view path, std::string_view text, Enum& value) {
  value = parse<Enum>("option " + std::string(path), text);
}

void set_value(std::string_view path, std::string_view text, bool& value) {
  if (text == "true" || text == "1" || text == "yes")
    value = true;
  else if (text == "false" || text == "0" || text == "no")
    value = false;
  else
    refuse("option " + std::string(path) + " is true or false, not '" + std::string(text) + "'");
}

template <class Number>
requires std::is_arithmetic_v<Number>
void set_value(std::string_view path, std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    refuse("option " + std::string(path) + " is a number, not '" + std::string(text) + "'");
}

// Walks the options, sets the one named, and collects all names on the way.
struct Setter {
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

}  // namespace

SupernodeOptions for_tiles(SupernodeOptions s) {
  const auto unless_set = [&](auto SupernodeOptions::*option, auto value) {
    if (s.*option == SupernodeOptions().*option) s.*option = value;
  };
  unless_set(&SupernodeOptions::merge_zeros, 0.9);
  unless_set(&SupernodeOptions::panel_work, 10000.0);
  unless_set(&SupernodeOptions::merge_siblings, true);
  unless_set(&SupernodeOptions::max_panel_columns, Index{4096});
  unless_set(&SupernodeOptions::subtree_share, 0.0);
  return s;
}

SupernodeOptions supernode_options(const Options& o, Method method) {
  return o.backend == Backend::cuda && method == Method::tree ? for_tiles(o.supernode)
                                                              : o.supernode;
}

void set_option(Options& options, std::string_view path, std::string_view text) {
  Setter setter{path, text};
  options.visit(setter);
  if (setter.found) return;
  std::vector<std::string> names = near_names(path, setter.names);
  if (names.empty()) names = setter.names;
  std::string near;
  for (const std::string& known : names) near += (near.empty() ? "" : ", ") + known;
  refuse("there is no option '" + std::string(path) + "'; near it are: " + near);
}

}  // namespace echelon
