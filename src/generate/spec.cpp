// generate/spec.cpp -- parses recipes; the error of an invalid recipe quotes it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Grammar.  name:sizes[:number[:number]]; sizes is one number, or one per direction, separated by
// 'x'.
#include "generate/spec.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <vector>

#include "echelon/error.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

struct RecipeText {
  Recipe recipe;
  std::string_view name;
  std::string_view form;
  std::string_view meaning;
  int directions;
  std::size_t most_fields;  // without the name
};

constexpr RecipeText recipes[] = {
    {Recipe::elasticity3d, "elasticity3d", "elasticity3d:E or EXxEYxEZ",
     "3D elasticity, E elements per side, trilinear hexahedra, 3 unknowns per node", 3, 1},
    {Recipe::elasticity2d, "elasticity2d", "elasticity2d:NXxNY",
     "plane elasticity, linear triangles on NX x NY nodes, 2 unknowns per node", 2, 1},
    {Recipe::laplace2d, "laplace2d", "laplace2d:NXxNY[:5|9]", "2D Laplacian, 5 or 9 points", 2, 2},
    {Recipe::laplace3d, "laplace3d", "laplace3d:NXxNYxNZ[:7|27]", "3D Laplacian, 7 or 27 points", 3,
     2},
    {Recipe::bidiagonal, "bidiagonal", "bidiagonal:N", "lower bidiagonal, one chain of N unknowns",
     1, 1},
    {Recipe::dense, "dense", "dense:N", "all N x N entries stored", 1, 1},
    {Recipe::random, "random", "random:N[:PER_ROW[:SEED]]",
     "PER_ROW random entries per row beside a dominant diagonal (8, seed 1)", 1, 3},
};

constexpr Offset most_rows = std::numeric_limits<Index>::max();
constexpr Offset most_entries = Offset{1} << 33;

std::string quoted(std::string_view text) {
  std::string result(1, '\'');
  result += text;
  return result += '\'';
}

[[noreturn]] void refuse(std::string_view spec, const std::string& reason) {
  std::string text = "recipe " + quoted(spec) + ": " + reason + "; the recipes are";
  for (const RecipeText& r : recipes) {
    text += &r == recipes ? " " : ", ";
    text += r.form;
  }
  throw Error(ErrorCode::bad_argument, text);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(at)) != std::string_view::npos;) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// Parses a whole field as a number from `least` to `most`.
template <class Number>
Number read_number(std::string_view spec, std::string_view field, const char* what, Number least,
                   Number most) {
  Number number{};
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number);
  if (field.empty() || error != std::errc{} || stop != end || number < least || number > most)
    refuse(spec, std::string(what) + " " + quoted(field) + " is not a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most));
  return number;
}

Index read_size(std::string_view spec, std::string_view field) {
  return read_number<Index>(spec, field, "size", 1, std::numeric_limits<Index>::max());
}

void read_sizes(std::string_view spec, std::string_view field, int directions, Spec& out) {
  const auto sizes = split(field, 'x');
  const auto count = static_cast<int>(sizes.size());
  if (count != 1 && count != directions)
    refuse(spec, quoted(field) + " has " + std::to_string(count) + " sizes, not " +
                     (directions == 1 ? "1" : "1 or " + std::to_string(directions)));
  for (int d = 0; d < directions; ++d) out.nodes[d] = read_size(spec, sizes[count == 1 ? 0 : d]);
}

void read_points(std::string_view spec, const std::vector<std::string_view>& fields, Spec& out) {
  const bool flat = out.recipe == Recipe::laplace2d;
  const std::string_view few = flat ? "5" : "7";
  const std::string_view many = flat ? "9" : "27";
  const std::string_view given = fields.size() > 2 ? fields[2] : few;
  if (given != few && given != many)
    refuse(spec, "the stencil has " + std::string(few) + " or " + std::string(many) +
                     " points, not " + quoted(given));
  out.points = read_size(spec, given);
}

// Largest number of entries per row, to bound the size of the matrix.
Offset widest_row(const Spec& s) {
  switch (s.recipe) {
    case Recipe::elasticity3d:
      return 81;
    case Recipe::elasticity2d:
      return 14;
    case Recipe::laplace2d:
    case Recipe::laplace3d:
      return s.points;
    case Recipe::bidiagonal:
      return 2;
    case Recipe::dense:
      return s.nodes[0];
    case Recipe::random:
      return std::min(s.per_row, s.nodes[0] - 1) + Offset{1};
  }
  return 0;
}

void check_size(std::string_view spec, const Spec& s) {
  Offset rows = s.recipe == Recipe::elasticity3d ? 3 : s.recipe == Recipe::elasticity2d ? 2 : 1;
  for (const Index nodes : s.nodes) {
    if (nodes > most_rows / rows)
      refuse(spec, "the matrix would have more than " + std::to_string(most_rows) + " rows");
    rows *= nodes;
  }
  if (widest_row(s) > most_entries / rows)
    refuse(spec, "the matrix would have more than " + std::to_string(most_entries) + " entries");
}

// Converts elements to nodes, and checks the smallest grid of elements.
void settle_elements(std::string_view spec, Spec& s) {
  if (s.recipe == Recipe::elasticity2d && std::min(s.nodes[0], s.nodes[1]) < 2)
    refuse(spec, "triangles need at least 2 nodes a direction");
  if (s.recipe != Recipe::elasticity3d) return;
  for (Index& size : s.nodes) {
    if (size == most_rows) refuse(spec, "that many elements have too many nodes");
    ++size;
  }
}

const RecipeText* find_recipe(std::string_view name) {
  const auto* found = std::find_if(std::begin(recipes), std::end(recipes),
                                   [&](const RecipeText& r) { return r.name == name; });
  return found == std::end(recipes) ? nullptr : found;
}

}  // namespace

Spec read_spec(std::string_view text) {
  const auto fields = split(text, ':');
  const RecipeText* recipe = find_recipe(fields[0]);
  if (recipe == nullptr) refuse(text, "there is no recipe " + quoted(fields[0]));
  if (fields.size() < 2) refuse(text, "the size is missing");
  if (fields.size() > recipe->most_fields + 1)
    refuse(text, quoted(fields[recipe->most_fields + 1]) + " is one field too many");

  Spec spec;
  spec.recipe = recipe->recipe;
  read_sizes(text, fields[1], recipe->directions, spec);
  if (spec.recipe == Recipe::laplace2d || spec.recipe == Recipe::laplace3d)
    read_points(text, fields, spec);
  if (spec.recipe == Recipe::random && fields.size() > 2)
    spec.per_row = read_number<Index>(text, fields[2], "number of entries per row", 0,
                                      std::numeric_limits<Index>::max());
  if (spec.recipe == Recipe::random && fields.size() > 3)
    spec.seed = read_number<std::uint64_t>(text, fields[3], "seed", 0,
                                           std::numeric_limits<std::uint64_t>::max());
  settle_elements(text, spec);
  check_size(text, spec);
  return spec;
}

bool is_spec(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (find_recipe(name) != nullptr) return true;
  if (name.empty() || colon == std::string_view::npos || colon + 1 == text.size()) return false;
  // A misspelt name before a list of numbers is treated as a recipe, which gives the better error.
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos &&
         text.find_first_not_of("0123456789x:", colon) == text.npos;
}

std::string spec_help() {
  std::size_t width = 0;
  for (const RecipeText& r : recipes) width = std::max(width, r.form.size());
  std::string text;
  for (const RecipeText& r : recipes) {
    text += r.form;
    text.append(width - r.form.size() + 2, ' ');
    text += r.meaning;
    text += '\n';
  }
  return text;
}

}  // namespace echelon
