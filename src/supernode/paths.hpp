// supernode/paths.hpp -- the longest paths through the graph of supernodes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/supernode.hpp"

namespace echelon {

// The supernode of each position.
inline Buffer<Index> find_owners(const Supernodes& s) {
  Buffer<Index> owner(static_cast<std::size_t>(s.n));
  for (Index t = 0; t < s.count(); ++t)
    std::fill(owner.begin() + s.first[t], owner.begin() + s.first[t + 1], t);
  return owner;
}

// The sum of cost(s) over the supernodes s on the longest path to each supernode, its own excluded.
template <class Cost>
Buffer<Index> find_paths_to(const Supernodes& s, const Buffer<Index>& owner, const Cost& cost) {
  Buffer<Index> path(static_cast<std::size_t>(s.count()), 0);
  for (Index t = 0; t < s.count(); ++t) {
    const Index below = path[t] + cost(t);
    for (const Index i : s.rows(t)) path[owner[i]] = std::max(path[owner[i]], below);
  }
  return path;
}

// Supernodes on the longest path from each supernode, its own excluded.
inline Buffer<Index> find_paths_from(const Supernodes& s, const Buffer<Index>& owner) {
  Buffer<Index> path(static_cast<std::size_t>(s.count()), 0);
  for (Index t = s.count(); t-- > 0;)
    for (const Index i : s.rows(t)) path[t] = std::max(path[t], path[owner[i]] + 1);
  return path;
}

}  // namespace echelon
