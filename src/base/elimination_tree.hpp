// base/elimination_tree.hpp -- parents in the elimination tree of a graph whose edges point upwards
// (Liu).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/buffer.hpp"
#include "echelon/types.hpp"

namespace echelon {

// `member[start[t] .. start[t+1])` reach t and are smaller.  -1 for roots.
template <class Start>
Buffer<Index> find_parents(Index count, const Buffer<Start>& start, const Buffer<Index>& member) {
  Buffer<Index> parent(count, -1), ancestor(count, -1);
  for (Index t = 0; t < count; ++t)
    for (Start p = start[t]; p < start[t + 1]; ++p)
      for (Index s = member[p]; s != -1 && s != t;) {
        const Index up = ancestor[s];  // paths are shortened as they are walked
        ancestor[s] = t;
        if (up == -1) parent[s] = t;
        s = up;
      }
  return parent;
}

}  // namespace echelon
