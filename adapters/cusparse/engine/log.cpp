// adapters/cusparse/engine/log.cpp -- lines on the standard error.
// SPDX-License-Identifier: BSD-3-Clause
#include "log.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace echelon::dropin {

bool is_logging() {
  static const bool wanted = [] {
    const char* const text = std::getenv("ECHELON_CUSPARSE_LOG");
    return text != nullptr && std::string_view(text) != "0";
  }();
  return wanted;
}

void log(const std::string& line) {
  if (is_logging()) std::fprintf(stderr, "echelon_cusparse: %s\n", line.c_str());
}

}  // namespace echelon::dropin
