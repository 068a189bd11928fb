// base/refuse.hpp -- throws bad_argument with a message.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/error.hpp"

namespace echelon {

[[noreturn]] inline void refuse(const std::string& text) {
  throw Error(ErrorCode::bad_argument, text);
}

}  // namespace echelon
