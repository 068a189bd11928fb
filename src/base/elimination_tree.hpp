// base/elimination_tree.hpp -- computes parents in the elimination tree of a graph whose edges
// point to larger vertices (Liu).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/buffer.hpp"
#include "echelon/types.hpp"

namespace echelon {

// The smaller neighbours of t are `member[start[t] .. start[t+1])`.  Roots have parent -1.
template <class Start>
Buffer<Index> find_parents(Index count, const Buffer<Start>& start, const Buffer<Index>& member) {
  Buffer<Index> parent(count, -1), ancestor(count, -1);
  for (Index t = 0; t < count; ++t)
    for (Start p = start[t]; p < start[t + 1]; ++p)
      for (Index s = member[p]; s != -1 && s != t;) {
        const Index up = ancestor[s];  // path compression
        ancestor[s] = t;
        if (up == -1) parent[s] = t;
        s = up;
      }
  return parent;
}

}  // namespace echelon
