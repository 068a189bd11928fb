// supernode/supernode_levels.cpp -- level sets of supernodes, by one sweep and a counting sort.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  level(t) = 1 + max level(s) over the supernodes s with a row in t, or 0 if there are
// none.  By rising position, each supernode pushes its level, final by then, to the supernodes of
// its rows.
#include <algorithm>
#include <numeric>

#include "echelon/supernode.hpp"

namespace echelon {
namespace {

Buffer<Index> find_levels(const Supernodes& s) {
  Buffer<Index> member(static_cast<std::size_t>(s.n));  // by position
  for (Index t = 0; t < s.count(); ++t)
    std::fill(member.begin() + s.first[t], member.begin() + s.first[t + 1], t);
  Buffer<Index> level(static_cast<std::size_t>(s.count()), 0);
  for (Index t = 0; t < s.count(); ++t) {
    const Index below = level[t] + 1;
    for (const Index i : s.rows(t)) level[member[i]] = std::max(level[member[i]], below);
  }
  return level;
}

}  // namespace

LevelSets find_level_sets(const Supernodes& s) {
  const Buffer<Index> level = find_levels(s);
  const Index count = level.empty() ? 0 : 1 + *std::max_element(level.begin(), level.end());
  LevelSets sets{Buffer<Index>(static_cast<std::size_t>(count) + 1, 0),
                 Buffer<Index>(level.size())};
  for (const Index l : level) ++sets.start[l + 1];
  std::partial_sum(sets.start.begin(), sets.start.end(), sets.start.begin());
  Buffer<Index> next(sets.start);
  for (Index t = 0; t < s.count(); ++t) sets.order[next[level[t]]++] = t;
  return sets;
}

}  // namespace echelon
