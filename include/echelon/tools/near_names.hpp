// echelon/tools/near_names.hpp -- names that may have been meant by a misspelt word.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace echelon {

// Those of the known names that may have been meant by a word, the nearest first, three at most.
std::vector<std::string> near_names(std::string_view word, const std::vector<std::string>& known);

}  // namespace echelon
#pragma GCC visibility pop
