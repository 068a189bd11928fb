// cli/input.cpp -- a matrix the user names: a file or a recipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"

#include <filesystem>

#include "echelon/generate.hpp"
#include "progress.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

template <Scalar T>
Csr<T> make_recipe(const std::string& spec) {
  try {
    return generate<T>(spec);
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

void refuse_input(const std::string& name, const Error& error) {
  const std::string text = error.what();
  throw Error(error.code(), text.starts_with(name) ? text : name + ": " + text);
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
