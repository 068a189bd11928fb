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

#include "analysis/level_span.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

// The sweep position from which on the next band should go: near `goal`, where the level falls
// most.
Index best_cut(const DependencyGraph& g, const Levels& levels, Index goal, Index slack) {
  const Index begin = std::max(goal - slack, 1), end = std::min(goal + slack, g.n - 1);
  Index best = goal, most = 0;
  for (Index k = begin; k <= end; ++k) {
    const Index fall = levels.of[g.unknown(k - 1)] - levels.of[g.unknown(k)];
    if (fall > most || (fall == most && std::abs(k - goal) < std::abs(best - goal))) {
      best = k;
      most = fall;
    }
  }
  return best;
}

// Positions [begin, end): a counting sort by levels, which keeps the order of the sweep.
void sort_band(const DependencyGraph& g, const Levels& levels, Index begin, Index end,
               BandLayout& layout) {
  const Index* const level = levels.of.data();
  const LevelSpan span = find_level_span(g, levels, begin, end);
  const Index low = span.low;
  std::vector<Index> next(static_cast<std::size_t>(span.count()) + 1, 0);
  for (Index k = begin; k < end; ++k) ++next[level[g.unknown(k)] - low + 1];
  next[0] = begin;
  for (std::size_t l = 1; l < next.size(); ++l) next[l] += next[l - 1];
  for (Index k = begin; k < end; ++k) {
    const Index i = g.unknown(k), at = next[level[i] - low]++;
    layout.order[at] = i;
    layout.level[at] = level[i];
    layout.position[i] = at;
  }
}

}  // namespace

BandLayout lay_bands(const DependencyGraph& g, const Levels& levels, Index bands, Index threads) {
  threads = thread_count(threads);
  bands = std::clamp<Index>(bands, 1, std::max<Index>(1, g.n));
  Buffer<Index> cut(static_cast<std::size_t>(bands) + 1, 0);
  const Index slack = g.n / bands / 4;
  parallel_pieces(bands - 1, 1, threads, [&](Offset begin, Offset end, Index) {
    for (auto a = static_cast<Index>(begin) + 1; a <= end; ++a)
      cut[a] = best_cut(g, levels, static_cast<Index>(piece_begin(g.n, a, bands)), slack);
  });
  BandLayout layout;
  layout.first.assign(1, 0);
  for (Index a = 1; a < bands; ++a)
    if (cut[a] > layout.first.back()) layout.first.push_back(cut[a]);
  layout.first.push_back(g.n);
  layout.order.resize(g.n);
  layout.position.resize(g.n);
  layout.level.resize(g.n);
  parallel_items(g.n == 0 ? 0 : layout.count(), threads, [&](Index a, Index) {
    sort_band(g, levels, layout.first[a], layout.first[a + 1], layout);
  });
  return layout;
}

}  // namespace echelon
