// base/error.cpp -- names of the error codes.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/error.hpp"

namespace echelon {

const char* name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::bad_argument:
      return "bad_argument";
    case ErrorCode::not_triangular:
      return "not_triangular";
    case ErrorCode::zero_diagonal:
      return "zero_diagonal";
    case ErrorCode::not_finite:
      return "not_finite";
    case ErrorCode::bad_file:
      return "bad_file";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::backend_missing:
      return "backend_missing";
    case ErrorCode::backend_failed:
      return "backend_failed";
    case ErrorCode::not_positive_definite:
      return "not_positive_definite";
    case ErrorCode::singular:
      return "singular";
  }
  return "unknown";
}

}  // namespace echelon
