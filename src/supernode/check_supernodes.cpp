// supernode/check_supernodes.cpp -- the invariants of a partition into supernodes.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "base/refuse.hpp"
#include "echelon/supernode.hpp"

namespace echelon {
namespace {

std::string member(Index s) { return "supernode " + std::to_string(s); }

void check_arrays(const Supernodes& s) {
  if (s.n < 0 || s.first.empty() || s.first.front() != 0 || s.first.back() != s.n)
    refuse("supernodes must begin with 0 and end with " + std::to_string(s.n));
  if (s.row_start.size() != s.first.size() || s.row_start.front() != 0 ||
      s.row_start.back() != static_cast<Offset>(s.row.size()))
    refuse("the rows of " + std::to_string(s.count()) + " supernodes do not fit their starts");
}

}  // namespace

void check_supernodes(const Supernodes& s) {
  check_arrays(s);
  for (Index t = 0; t < s.count(); ++t) {
    if (s.first[t] >= s.first[t + 1])
      refuse(member(t) + " runs from " + std::to_string(s.first[t]) + " to " +
             std::to_string(s.first[t + 1]));
    if (s.row_start[t] > s.row_start[t + 1]) refuse(member(t) + " has a negative number of rows");
  }
  for (Index t = 0; t < s.count(); ++t) {
    Index previous = s.first[t + 1] - 1;
    for (const Index i : s.rows(t)) {
      if (i <= previous || i >= s.n)
        refuse(member(t) + " has row " + std::to_string(i) + " where one from " +
               std::to_string(Offset{previous} + 1) + " to " + std::to_string(s.n - 1) +
               " must follow");
      previous = i;
    }
  }
}

Offset Supernodes::entries() const {
  Offset sum = 0;
  for (Index s = 0; s < count(); ++s) sum += entries(s);
  return sum;
}

}  // namespace echelon
