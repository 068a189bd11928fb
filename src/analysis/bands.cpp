// analysis/bands.cpp -- where to cut the sweep into bands, and the order they are solved in.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  An unknown needs only unknowns before it in the sweep and of lower levels.  So with
// bands of neighbours of the sweep, each run through by levels, a band needs nothing of a higher
// one, and no pattern can make two bands wait for each other.  On a grid a band is some lines or
// planes: all of them advance together, one point a level, and what goes from band to band is the
// last line's or plane's.  A cut in the midst of a line would leave half a line that waits for the
// other half; where a line or plane begins, the level falls.
#include <algorithm>

#include "analysis/levels_by_sweep.hpp"

namespace echelon {
namespace {

// The sweep position from which on the next band should go: near `goal`, where the level falls
// most.
Index best_cut(const Buffer<Index>& level, Index goal, Index slack) {
  const auto n = static_cast<Index>(level.size());
  const Index begin = std::max(goal - slack, 1), end = std::min(goal + slack, n - 1);
  Index best = goal, most = 0;
  for (Index k = begin; k <= end; ++k) {
    const Index fall = level[k - 1] - level[k];
    if (fall > most || (fall == most && std::abs(k - goal) < std::abs(best - goal))) {
      best = k;
      most = fall;
    }
  }
  return best;
}

}  // namespace

BandLayout lay_bands(const DependencyGraph& g, const LevelSets& levels, Index bands,
                     Index threads) {
  threads = thread_count(threads);
  bands = std::clamp<Index>(bands, 1, std::max<Index>(1, g.n));
  const Buffer<Index> level = levels_by_sweep(g, levels, threads);
  BandLayout layout;
  layout.first.assign(1, 0);
  const Index slack = g.n / bands / 4;
  for (Index a = 1; a < bands; ++a) {
    const Index cut = best_cut(level, static_cast<Index>(piece_begin(g.n, a, bands)), slack);
    if (cut > layout.first.back()) layout.first.push_back(cut);
  }
  layout.first.push_back(g.n);
  layout.order.resize(g.n);
  layout.level.resize(g.n);

  // Each band by itself: a counting sort by levels, which keeps the order of the sweep.
  parallel_items(g.n == 0 ? 0 : layout.count(), threads, [&](Index a, Index) {
    const Index begin = layout.first[a], end = layout.first[a + 1];
    const auto [low, high] = std::minmax_element(level.begin() + begin, level.begin() + end);
    const Index lowest = *low;
    Buffer<Index> next(static_cast<std::size_t>(*high - lowest) + 2, 0);
    for (Index k = begin; k < end; ++k) ++next[level[k] - lowest + 1];
    next[0] = begin;
    for (std::size_t l = 1; l < next.size(); ++l) next[l] += next[l - 1];
    for (Index k = begin; k < end; ++k) {
      const Index at = next[level[k] - lowest]++;
      layout.order[at] = g.unknown(k);
      layout.level[at] = level[k];
    }
  });
  return layout;
}

}  // namespace echelon
