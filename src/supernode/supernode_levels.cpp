// supernode/supernode_levels.cpp -- level sets of supernodes, by one sweep and a counting sort.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  level(t) = 1 + max level(s) over the supernodes s with a row in t, or 0 if there are
// none.  By rising position, each supernode pushes its level, final by then, to the supernodes of
// its rows.
#include <algorithm>
#include <numeric>

#include "supernode/paths.hpp"

namespace echelon {
Index find_path_columns(const Supernodes& s) {
  const auto width = [&](Index t) { return s.width(t); };
  const Buffer<Index> path = find_paths_to(s, find_owners(s), width);
  Index longest = 0;
  for (Index t = 0; t < s.count(); ++t) longest = std::max(longest, path[t] + width(t));
  return longest;
}

LevelSets find_level_sets(const Supernodes& s) {
  const Buffer<Index> level = find_paths_to(s, find_owners(s), [](Index) { return 1; });
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
