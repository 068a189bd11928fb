// matrix/check_pattern.cpp -- the door check of a compressed pattern.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "base/parallel.hpp"
#include "echelon/matrix.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_argument, text); }

void check_sizes(const Pattern& a, const std::string& list) {
  if (a.rows < 0 || a.cols < 0) refuse("a matrix cannot have a negative number of rows or columns");
  if (a.start.size() != static_cast<std::size_t>(a.lists()) + 1)
    refuse("start has " + std::to_string(a.start.size()) + " entries for " +
           std::to_string(a.lists()) + " " + list + "s; it must have one more than there are");
  if (a.start[0] != 0) refuse("start[0] is " + std::to_string(a.start[0]) + ", not 0");
}

}  // namespace

void check_pattern(const Pattern& a) {
  const std::string list = a.order == Order::rows ? "row" : "column";
  check_sizes(a, list);
  const Index width = a.width();
  const auto stored = static_cast<Offset>(a.index.size());
  parallel_pieces(a.lists(), 1 << 15, omp_get_max_threads(), [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      if (a.start[k] > a.start[k + 1] || a.start[k + 1] > stored)
        refuse(list + " " + std::to_string(k) + " ends at " + std::to_string(a.start[k + 1]) +
               ", before it begins or past the " + std::to_string(stored) + " stored indices");
      Index bad = -1;
      for (Offset p = a.start[k]; p < a.start[k + 1]; ++p)
        if (static_cast<std::uint32_t>(a.index[p]) >= static_cast<std::uint32_t>(width))
          bad = static_cast<Index>(p - a.start[k]);
      if (bad >= 0)
        refuse(list + " " + std::to_string(k) + " has index " +
               std::to_string(a.index[a.start[k] + bad]) + ", outside 0 to " +
               std::to_string(width - 1));
    }
  });
  if (a.start.back() != stored)
    refuse("start ends at " + std::to_string(a.start.back()) + " but there are " +
           std::to_string(stored) + " indices");
}

}  // namespace echelon
