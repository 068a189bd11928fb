// base/error.cpp -- the row that the text of an error names.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/error.hpp"

#include <charconv>
#include <string_view>

namespace echelon {

std::int64_t Error::row() const noexcept {
  if (code_ == ErrorCode::bad_file) return -1;
  const std::string_view text = what();
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (k > 0 && text[k - 1] != ' ') continue;
    for (const std::string_view word : {"row ", "column ", "row or column "}) {
      if (!text.substr(k).starts_with(word)) continue;
      std::int64_t row = -1;
      const char* const digits = text.data() + k + word.size();
      if (std::from_chars(digits, text.data() + text.size(), row).ec == std::errc()) return row;
    }
  }
  return -1;
}

}  // namespace echelon
