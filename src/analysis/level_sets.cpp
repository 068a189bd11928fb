// analysis/level_sets.cpp -- level sets of a triangle, by one sweep and a counting sort.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  level(i) = 1 + max level(j) over the unknowns j that x(i) needs, or 0 if there are none.
// Listed by rows, each unknown pulls the levels of the unknowns it needs; listed by columns, each
// pushes its level to the unknowns that need it.  In sweep order every level is final before it is
// read.  The counting sort is stable: inside a level the unknowns keep the sweep order, which keeps
// accesses to x local.
//
// Reference.  Anderson and Saad, Int. J. High Speed Computing 1 (1989), 73-95.
#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/prefetch.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset level_grain = 1 << 16;  // unknowns below which a second thread does not pay

Index pull(const DependencyGraph& g, Index* level) {
  Index most = 0;
  for (Index k = 0; k < g.n; ++k) {
    const Index i = g.unknown(k);
    Index above = 0;
    const auto list = g.list(i);
    prefetch_ahead(list.data(), list.data() + list.size());
    for (const Index j : list) above = std::max(above, level[j] + 1);
    level[i] = above;
    most = std::max(most, above);
  }
  return most;
}

Index push(const DependencyGraph& g, Index* level) {
  std::fill(level, level + g.n, 0);
  Index most = 0;
  for (Index k = 0; k < g.n; ++k) {
    const Index i = g.unknown(k), below = level[i] + 1;
    for (const Index j : g.list(i)) level[j] = std::max(level[j], below);
    most = std::max(most, level[i]);
  }
  return most;
}

}  // namespace

Levels find_levels(const DependencyGraph& g) {
  Levels levels;
  if (g.n == 0) return levels;
  levels.of.resize(g.n);
  Index* const level = levels.of.data();
  levels.count = 1 + (g.lists == Order::rows ? pull(g, level) : push(g, level));
  return levels;
}

LevelSets find_level_sets(const DependencyGraph& g, const Levels& levels, Index threads) {
  const Buffer<Index>& level = levels.of;
  const Index count = levels.count;
  LevelSets sets{Buffer<Index>(static_cast<std::size_t>(count) + 1), Buffer<Index>(g.n)};

  // Counting sort over pieces of the sweep, each with its own counts.
  std::vector<Buffer<Index>> next(std::clamp<Index>(threads, 1, 8));
  const auto most = static_cast<Index>(next.size());
  parallel_pieces(g.n, level_grain, most, [&](Offset begin, Offset end, Index part) {
    next[part].assign(count, 0);
    for (auto k = static_cast<Index>(begin); k < end; ++k) ++next[part][level[g.unknown(k)]];
  });
  Index sum = 0;
  for (Index l = 0; l < count; ++l) {
    sets.start[l] = sum;
    for (auto& counts : next)
      if (!counts.empty()) sum += std::exchange(counts[l], sum);
  }
  sets.start[count] = sum;
  parallel_pieces(g.n, level_grain, most, [&](Offset begin, Offset end, Index part) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      const Index i = g.unknown(k);
      sets.order[next[part][level[i]]++] = i;
    }
  });
  return sets;
}

LevelSets find_level_sets(const DependencyGraph& g, Index threads) {
  return find_level_sets(g, find_levels(g), threads);
}

}  // namespace echelon
