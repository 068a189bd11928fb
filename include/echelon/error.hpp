// echelon/error.hpp -- the exception class of the library: an error code and a message that names
// the place.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  The library never prints, aborts or exits; it throws Error.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "echelon/names.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The values are part of the interface: scripts and other languages use them.
enum class ErrorCode {
  bad_argument = 1,       // the caller's mistake: sizes differ, index out of range, unknown name
  not_triangular,         // an entry lies on the wrong side of the diagonal
  zero_diagonal,          // a diagonal entry is missing or exactly zero
  not_finite,             // a NaN or an infinity in the matrix or in the solution
  bad_file,               // a file cannot be read, parsed or written
  out_of_memory,          // host or device allocation failed
  backend_missing,        // this build has no such backend
  backend_failed,         // a call into a backend failed
  not_positive_definite,  // a Cholesky factorization met a pivot that is not positive
  singular,               // a factorization met a column without a pivot
};

constexpr auto names(ErrorCode) {
  return name_table<ErrorCode>({{ErrorCode::bad_argument, "bad_argument"},
                                {ErrorCode::not_triangular, "not_triangular"},
                                {ErrorCode::zero_diagonal, "zero_diagonal"},
                                {ErrorCode::not_finite, "not_finite"},
                                {ErrorCode::bad_file, "bad_file"},
                                {ErrorCode::out_of_memory, "out_of_memory"},
                                {ErrorCode::backend_missing, "backend_missing"},
                                {ErrorCode::backend_failed, "backend_failed"},
                                {ErrorCode::not_positive_definite, "not_positive_definite"},
                                {ErrorCode::singular, "singular"}});
}

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
  ErrorCode code() const noexcept { return code_; }
  // The first row or column that the text names, counted from 0; -1: none, or a line of a file.
  // Found in the text, because an error of another rank arrives as its code and text.
  std::int64_t row() const noexcept;

 private:
  ErrorCode code_;
};

}  // namespace echelon
#pragma GCC visibility pop
