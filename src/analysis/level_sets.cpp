// analysis/level_sets.cpp -- level sets of a triangle, by one sweep of the unknowns and a
// counting sort.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  level(i) = 1 + max level(j) over the unknowns j that x(i) needs, or 0 if there
// are none.  Listed by rows, each unknown pulls its level from what it needs; listed by
// columns, each pushes its own to what needs it.  Either way the plain sweep order makes
// every level final before it is read.  The counting sort is stable: inside a level the
// unknowns keep the sweep order, which keeps x local.
//
// Reference.  Anderson and Saad, Int. J. High Speed Computing 1 (1989), 73-95.
#include <algorithm>

#include "echelon/analysis.hpp"

namespace echelon {
namespace {

Buffer<Index> find_levels(const DependencyGraph& g) {
  Buffer<Index> level(static_cast<std::size_t>(g.n), 0);
  for (Index k = 0; k < g.n; ++k) {
    const Index i = g.unknown(k);
    if (g.lists == Order::rows) {
      Index deepest = -1;
      for (const Index j : g.list(i)) deepest = std::max(deepest, level[j]);
      level[i] = deepest + 1;
    } else {
      for (const Index j : g.list(i)) level[j] = std::max(level[j], level[i] + 1);
    }
  }
  return level;
}

}  // namespace

LevelSets find_level_sets(const DependencyGraph& g) {
  const Buffer<Index> level = find_levels(g);

  // Counting sort: count, sum, place.
  const Index count = g.n == 0 ? 0 : 1 + *std::max_element(level.begin(), level.end());
  LevelSets sets{Buffer<Index>(static_cast<std::size_t>(count) + 1, 0), Buffer<Index>(g.n)};
  for (const Index l : level) ++sets.start[l + 1];
  for (Index l = 0; l < count; ++l) sets.start[l + 1] += sets.start[l];
  Buffer<Index> next(sets.start);
  for (Index k = 0; k < g.n; ++k) {
    const Index i = g.unknown(k);
    sets.order[next[level[i]]++] = i;
  }
  return sets;
}

}  // namespace echelon
