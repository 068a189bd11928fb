// base/options.cpp -- names of methods, options set by name, and those that follow from others.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/options.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/refuse.hpp"
#include "base/vector_unit.hpp"
#include "echelon/tools/near_names.hpp"

namespace echelon {
namespace {

struct MethodName {
  Method method;
  const char* ours;
  const char* paper;  // the papers' name, or none
};

constexpr std::array<MethodName, 17> methods{{
    {Method::automatic, "automatic", ""},
    {Method::serial, "serial", ""},
    {Method::level_row, "level_row", "LEVR"},
    {Method::level_column, "level_column", "LEVC"},
    {Method::element_row, "element_row", "ELMR"},
    {Method::element_column, "element_column", "ELMC"},
    {Method::superstep, "superstep", ""},
    {Method::plain, "default", ""},
    {Method::stream, "stream", ""},
    {Method::team, "team", ""},
    {Method::merge, "merge", ""},
    {Method::invert_diag, "invert_diag", "InvertDiag"},
    {Method::invert_off, "invert_off", "InvertOff"},
    {Method::spmv, "spmv", "SpMV"},
    {Method::dynamic, "dynamic", ""},
    {Method::invert_full, "invert_full", "InvertFull"},
    {Method::tree, "tree", ""},
}};

constexpr std::array<const char*, 3> directions{"automatic", "push", "pull"};
constexpr std::array<const char*, 2> backends{"cpu", "cuda"};

void parse(std::string_view path, std::string_view text, Method& value) {
  (void)path;
  value = parse_method(text);
}

// An enum whose names stand in its order.
template <class Enum, std::size_t size>
void parse_name(std::string_view path, std::string_view text,
                const std::array<const char*, size>& names, Enum& value) {
  std::string list;
  for (std::size_t k = 0; k < size; ++k) {
    if (text == names[k]) {
      value = static_cast<Enum>(k);
      return;
    }
    list += (k == 0 ? "" : k + 1 < size ? ", " : " or ") + std::string(names[k]);
  }
  refuse("option " + std::string(path) + " is " + list + ", not '" + std::string(text) + "'");
}

void parse(std::string_view path, std::string_view text, Direction& value) {
  parse_name(path, text, directions, value);
}

void parse(std::string_view path, std::string_view text, Backend& value) {
  parse_name(path, text, backends, value);
}

void parse(std::string_view path, std::string_view text, VectorUnit& value) {
  parse_name(path, text, vector_unit_names, value);
}

void parse(std::string_view path, std::string_view text, bool& value) {
  if (text == "true" || text == "1" || text == "yes")
    value = true;
  else if (text == "false" || text == "0" || text == "no")
    value = false;
  else
    refuse("option " + std::string(path) + " is true or false, not '" + std::string(text) + "'");
}

template <class Number>
void parse(std::string_view path, std::string_view text, Number& value) {
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
      parse(path, text, value);
      found = true;
    }
  }
};

}  // namespace

const char* name(Method method) noexcept {
  for (const MethodName& m : methods)
    if (m.method == method) return m.ours;
  return "unknown";
}

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

const char* name(Direction direction) noexcept {
  return directions[static_cast<std::size_t>(direction)];
}

const char* name(Backend backend) noexcept { return backends[static_cast<std::size_t>(backend)]; }

Method parse_method(std::string_view text) {
  std::string list;
  for (const MethodName& m : methods) {
    if (text == m.ours || (*m.paper != '\0' && text == m.paper)) return m.method;
    list += (list.empty() ? "" : ", ") + std::string(m.ours);
  }
  refuse("there is no method '" + std::string(text) + "'; there are " + list);
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
