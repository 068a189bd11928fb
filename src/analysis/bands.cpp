// analysis/bands.cpp -- cuts the sweep into bands and sorts each band by levels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  An unknown depends only on earlier unknowns of the sweep, on lower levels.  A band is a
// contiguous range of the sweep, solved level by level.  So a band depends on lower bands only, and
// no two bands can wait for each other.  On a grid, a band is a set of lines or planes: all advance
// together, one point per level, and only the last line or plane is passed to the next band.  A cut
// inside a line would make one half wait for the other; the level falls where a line or plane
// begins.
#include <algorithm>

#include "analysis/level_span.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

// The best sweep position for a cut: near `goal`, where the level falls most.
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

// A stable counting sort of positions [begin, end) by level.
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
