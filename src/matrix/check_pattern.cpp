// matrix/check_pattern.cpp -- checks a compressed pattern given by the caller.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "base/parallel.hpp"
#include "base/refuse.hpp"
#include "echelon/matrix.hpp"

namespace echelon {
namespace {

constexpr const char* from_one = "; do the indices count from 1? csr_arrays takes base = 1";

constexpr Offset grain = 1 << 15;

std::string list_name(const Pattern& a, Index k) {
  return (a.order == Order::rows ? "row " : "column ") + std::to_string(k);
}

void check_list(const Pattern& a, Index k) {
  const auto width = static_cast<std::uint32_t>(a.width());
  std::uint32_t largest = 0;
  for (const Index j : a.list(k)) largest = std::max(largest, static_cast<std::uint32_t>(j));
  if (largest < width) return;
  for (const Index j : a.list(k))
    if (static_cast<std::uint32_t>(j) >= width)
      refuse(list_name(a, k) + " has index " + std::to_string(j) + ", outside 0 to " +
             std::to_string(a.width() - 1) + (j == a.width() ? from_one : ""));
}

}  // namespace

void check_starts(const Pattern& a, Index threads) {
  if (a.rows < 0 || a.cols < 0) refuse("a matrix cannot have a negative number of rows or columns");
  if (a.start.size() != static_cast<std::size_t>(a.lists()) + 1)
    refuse("start has " + std::to_string(a.start.size()) + " entries for " +
           std::to_string(a.lists()) + " lists; it must have one more than there are lists");
  if (a.start[0] != 0)
    refuse("start[0] is " + std::to_string(a.start[0]) + ", not 0" +
           (a.start[0] == 1 ? from_one : ""));
  parallel_pieces(a.lists(), grain, thread_count(threads), [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k)
      if (a.start[k] > a.start[k + 1])
        refuse(list_name(a, k) + " ends at " + std::to_string(a.start[k + 1]) +
               ", before it begins at " + std::to_string(a.start[k]));
  });
  if (a.start.back() != static_cast<Offset>(a.index.size()))
    refuse("start ends at " + std::to_string(a.start.back()) + " but there are " +
           std::to_string(a.index.size()) + " indices");
}

void check_pattern(const Pattern& a, Index threads) {
  check_starts(a, threads);
  parallel_pieces(a.lists(), grain, thread_count(threads), [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) check_list(a, k);
  });
}

}  // namespace echelon
