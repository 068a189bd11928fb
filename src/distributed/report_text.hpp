// distributed/report_text.hpp -- the common text of the reports of distributed solvers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>

#include "echelon/ranks.hpp"

namespace echelon {

// Minimum, mean and maximum, in a unit.
struct Shown {
  const Spread& s;
  double unit;
};
std::ostream& operator<<(std::ostream& out, const Shown& shown);

// Factors, ranks, blocks, values and setup; `how` names the transport of messages.
void print_setup(std::ostream& out, const RankReport& r, const std::string& how);
void print_messages(std::ostream& out, const RankReport& r);

}  // namespace echelon
