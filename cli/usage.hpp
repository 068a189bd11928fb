// cli/usage.hpp -- errors of the command line, and parsing of lists and numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/types.hpp"

namespace echelon::cli {

// The command line is wrong: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "; did you mean a or b?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

// The words between commas.  An empty word throws UsageError with the option's name.
std::vector<std::string> split_list(std::string_view option, std::string_view text);

// A whole number from `least` to `most`; else throws UsageError with the option's name.
Index parse_count(std::string_view option, std::string_view text, Index least, Index most);

// "2x3" sets rows and columns; an empty text changes nothing.
void parse_grid(const std::string& text, Index& rows, Index& cols);

// A number; else throws UsageError with the option's name.
double parse_number(std::string_view option, std::string_view text);

}  // namespace echelon::cli
