// base/out_of_memory.hpp -- converts std::bad_alloc to an Error at the public interface.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <new>
#include <string>

#include "echelon/error.hpp"

namespace echelon {

// Runs body; `what` names the phase that ran out of memory.
template <class Body>
auto report_bad_alloc(const char* what, const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, std::string("not enough memory for the ") + what);
  }
}

}  // namespace echelon
