// bindings/c/settings.hpp -- texts "name=value,name=value" into structs of options.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "echelon/tools/set_by_name.hpp"
#include "guard.hpp"

namespace echelon::c {

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// `text` may be null.  Throws bad_argument for an unknown name or a wrong value.
template <class Options>
void read_settings(const char* text, Options& options) {
  std::string_view rest = text == nullptr ? std::string_view() : text;
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    const std::string_view one = trimmed(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (one.empty()) continue;
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos)
      refuse("'" + std::string(one) + "' is no setting; write name=value,name=value");
    set_by_name(options, trimmed(one.substr(0, equals)), trimmed(one.substr(equals + 1)));
  }
}

}  // namespace echelon::c
