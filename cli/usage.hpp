// cli/usage.hpp -- what is wrong with a command line: the error, and near names to suggest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/types.hpp"

namespace echelon::cli {

// The command line cannot be meant so: exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "; did you mean a or b?", or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

// The words between commas.  Empty ones are refused with the option's name.
std::vector<std::string> split_list(std::string_view option, std::string_view text);

// A whole number from `least` to `most`, or a UsageError that names the option.
Index parse_count(std::string_view option, std::string_view text, Index least, Index most);

// "2x3", into rows and columns; empty: they stay.
void parse_grid(const std::string& text, Index& rows, Index& cols);

// A number with or without decimals, or a UsageError that names the option.
double parse_number(std::string_view option, std::string_view text);

}  // namespace echelon::cli
