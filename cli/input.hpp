// cli/input.hpp -- a matrix the user names: a file or a recipe.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/io.hpp"
#include "echelon/matrix.hpp"
#include "scalar.hpp"

namespace echelon::cli {

struct Input {
  enum class Kind { file, recipe };
  std::string name;  // as given
  Kind kind = Kind::file;
  FileHeader header;  // of a file

  Numbers numbers() const;
  std::string description() const;  // "matrix market coordinate, real, symmetric"; "recipe"
};

// Looks at a name: an existing file, or a recipe.  Throws bad_file for what is neither, and
// for a file whose header cannot be read.
Input open_input(const std::string& name);

// Whether errors of that code tell of a matrix, and of places in it.
bool is_about_matrix(ErrorCode code);

// What the error says, with rows, columns and unknowns counted from 1, as files do; the library
// counts them from 0.
std::string counted_from_one(const Error& error);

// Throws the error again, counted so, with the name of the input in front of its text.
[[noreturn]] void refuse_input(const std::string& name, const Error& error);

// Reads or makes the matrix, with a bar when a file is long.  Throws bad_file, bad_argument
// for a matrix that is not square, UsageError for a recipe that cannot be read.
template <Scalar T>
Csr<T> read_input(const Input& input);

}  // namespace echelon::cli
