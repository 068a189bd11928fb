// analysis/levels_by_sweep.hpp -- the level of each position of the plain sweep.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {

inline Buffer<Index> levels_by_sweep(const DependencyGraph& g, const LevelSets& levels,
                                     Index threads) {
  Buffer<Index> level(g.n);
  parallel_pieces(levels.count(), 1, threads, [&](Offset begin, Offset end, Index) {
    for (auto l = static_cast<Index>(begin); l < end; ++l)
      for (const Index i : levels.rows(l)) level[g.unknown(i)] = l;
  });
  return level;
}

}  // namespace echelon
