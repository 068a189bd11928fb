// distributed/report_text.hpp -- what the reports of many ranks say alike.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>

#include "echelon/ranks.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Least, mean and most, in some unit.
struct Shown {
  const Spread& s;
  double unit;
};
std::ostream& operator<<(std::ostream& out, const Shown& shown);

// Factors, ranks, blocks, values and setup; `how`: what carries messages.
void print_setup(std::ostream& out, const RankReport& r, const std::string& how);
void print_messages(std::ostream& out, const RankReport& r);

}  // namespace echelon
#pragma GCC visibility pop
