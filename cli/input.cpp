// cli/input.cpp -- opens and reads the input of a command: a matrix file or a recipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "echelon/generate.hpp"
#include "progress.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

template <Scalar T>
Csr<T> make_recipe(const std::string& spec) {
  try {
    return as_phase("generating " + spec, [&] { return generate<T>(spec); });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_argument) throw;
    throw UsageError(error.what());
  }
}

template <Scalar T>
Csr<T> read_file(const std::string& name) {
  Progress progress("reading " + std::filesystem::path(name).filename().string());
  return read_matrix<T>(name, {.progress = [&](double share) { progress.update(share); }});
}

// True if `before`, the text before a number, begins a place: "row 3", "columns 3 to 5", "a column
// from 3 to 5", "x(3) of right-hand side 0".
bool begins_place(std::string_view before, bool after_place) {
  constexpr std::array<std::string_view, 6> words{"row ",         "column ", "columns ",
                                                  "column from ", "x(",      "right-hand side "};
  return (after_place && before == " to ") ||
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return before.ends_with(word); });
}

}  // namespace

Numbers Input::numbers() const {
  return kind == Kind::file && header.field == Field::complex ? Numbers::complex : Numbers::real;
}

std::string Input::description() const {
  if (kind == Kind::recipe) return "recipe";
  return header.format + ", " + echelon::name(header.field) + ", " +
         echelon::name(header.symmetry) + (header.gzip ? ", gzip" : "");
}

Input open_input(const std::string& name) {
  std::error_code ignored;
  const bool is_there = std::filesystem::exists(name, ignored);
  if (!is_there && is_spec(name)) return {name, Input::Kind::recipe, {}};
  return {name, Input::Kind::file, read_header(name)};
}

bool is_about_matrix(ErrorCode code) {
  constexpr std::array codes{ErrorCode::not_triangular, ErrorCode::zero_diagonal,
                             ErrorCode::not_finite, ErrorCode::not_positive_definite,
                             ErrorCode::singular};
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

std::string counted_from_one(const Error& error) {
  const std::string_view text = error.what();
  if (!is_about_matrix(error.code())) return std::string(text);
  constexpr const char* digits = "0123456789";
  std::string out;
  bool is_place = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t number = std::min(text.find_first_of(digits, at), text.size());
    const std::size_t end = std::min(text.find_first_not_of(digits, number), text.size());
    const std::string_view before = text.substr(at, number - at);
    is_place = number < end && begins_place(before, is_place);
    out += before;
    out += is_place ? std::to_string(std::stoll(std::string(text.substr(number, end - number))) + 1)
                    : text.substr(number, end - number);
    at = end;
  }
  return out;
}

void refuse_input(const std::string& name, const Error& error) {
  const std::string text = error.what();
  if (text.starts_with(name)) throw error;
  throw Error(error.code(), name + ": " + counted_from_one(error));
}

template <Scalar T>
Csr<T> read_input(const Input& input) {
  Csr<T> a =
      input.kind == Input::Kind::recipe ? make_recipe<T>(input.name) : read_file<T>(input.name);
  if (a.rows != a.cols)
    throw Error(ErrorCode::bad_argument, input.name + ": the matrix is " + std::to_string(a.rows) +
                                             " by " + std::to_string(a.cols) +
                                             "; it must be square");
  return a;
}

template Csr<float> read_input(const Input&);
template Csr<double> read_input(const Input&);
template Csr<std::complex<float>> read_input(const Input&);
template Csr<std::complex<double>> read_input(const Input&);

}  // namespace echelon::cli
