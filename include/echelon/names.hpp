// echelon/names.hpp -- one table of names per enum: for name(), parse(), options and command lines.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   std::cout << echelon::name(echelon::Method::tree);                       // tree
//   const auto method = echelon::parse<echelon::Method>("method", "LEVR");   // level_row
//
// The table stands beside its enum:
//
//   enum class Color { red, green };
//   constexpr auto names(Color) {
//     return name_table<Color>({{Color::red, "red"}, {Color::green, "green"}});
//   }
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#pragma GCC visibility push(default)
namespace echelon {

// A value and its name; `also` is a second name that parse() takes, such as that of a paper.
template <class Enum>
struct Named {
  Enum value;
  const char* name;
  const char* also = nullptr;
};

template <class Enum, std::size_t size>
constexpr std::array<Named<Enum>, size> name_table(const Named<Enum> (&rows)[size]) {
  return std::to_array(rows);
}

template <class Enum>
concept HasNames = std::is_enum_v<Enum> && requires {
  names(Enum{});
};

template <HasNames Enum>
inline constexpr auto names_of = names(Enum{});

template <HasNames Enum>
constexpr const char* name(Enum value) noexcept {
  for (const Named<Enum>& row : names_of<Enum>)
    if (row.value == value) return row.name;
  return "unknown";
}

// All names, in the order of the table.
template <HasNames Enum>
std::vector<std::string> list_names() {
  std::vector<std::string> list;
  list.reserve(names_of<Enum>.size());
  for (const Named<Enum>& row : names_of<Enum>) list.emplace_back(row.name);
  return list;
}

// "metis, amd or natural".
std::string join_names(const std::vector<std::string>& list);

// Throws bad_argument: what was given is none of the list; of a long list the near names too.
[[noreturn]] void refuse_name(std::string_view what, std::string_view text,
                              const std::vector<std::string>& list);

// From a name.  Throws bad_argument: "`what` is metis, amd or natural, not 'colamd'".
template <HasNames Enum>
Enum parse(std::string_view what, std::string_view text) {
  for (const Named<Enum>& row : names_of<Enum>)
    if (text == row.name || (row.also != nullptr && text == row.also)) return row.value;
  refuse_name(what, text, list_names<Enum>());
}

}  // namespace echelon
#pragma GCC visibility pop
