// cli/input.hpp -- opens and reads the input of a command: a matrix file or a recipe.
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

// An existing file, or a recipe.  Throws bad_file for any other name, and for a file whose header
// cannot be read.
Input open_input(const std::string& name);

// Whether errors with this code refer to places in a matrix.
bool is_about_matrix(ErrorCode code);

// The error message with rows, columns and unknowns counted from 1, as in files; the library counts
// from 0.
std::string counted_from_one(const Error& error);

// Throws the error again, counted from 1, with the name of the input in front.
[[noreturn]] void refuse_input(const std::string& name, const Error& error);

// Reads or generates the matrix, with a progress bar for long files.  Throws bad_file, bad_argument
// for a matrix that is not square, UsageError for a recipe that cannot be parsed.
template <Scalar T>
Csr<T> read_input(const Input& input);

}  // namespace echelon::cli
