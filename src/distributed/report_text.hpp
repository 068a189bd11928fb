// distributed/report_text.hpp -- the common text of the reports of distributed solvers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>

#include "echelon/ranks.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Minimum, mean and maximum over `each`, separated by slashes: as times, sizes, or numbers.
std::string times_text(const Spread& s, double each);
std::string sizes_text(const Spread& s, double each);
std::string numbers_text(const Spread& s, double each);

// Factors, ranks, blocks, values and setup; `how` names the transport of messages.
void print_setup(std::ostream& out, const RankReport& r, const std::string& how);
void print_messages(std::ostream& out, const RankReport& r);

}  // namespace echelon
#pragma GCC visibility pop
