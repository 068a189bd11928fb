// analysis/pack_pattern.cpp -- lists laid out in execution order, so that a solve reads the
// matrix from front to back.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 14;  // lists below which a second thread does not pay

bool is_plain_sweep(const Buffer<Index>& order) {
  for (std::size_t k = 0; k < order.size(); ++k)
    if (order[k] != static_cast<Index>(k)) return false;
  return true;
}

// The graph is in the right order already: its arrays become the packed ones.
PackedPattern adopt(DependencyGraph&& g, Buffer<Index>&& order) {
  PackedPattern packed;
  packed.n = g.n;
  packed.lists = g.lists;
  packed.order = std::move(order);
  packed.start = std::move(g.start);
  packed.index = std::move(g.index);
  packed.from = std::move(g.from);
  packed.diagonal = std::move(g.diagonal);
  packed.extra = std::move(g.extra);
  return packed;
}

void copy_lists(const DependencyGraph& g, PackedPattern& packed, Index threads) {
  parallel_pieces(g.n, grain, threads, [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      const Index i = packed.order[k];
      Offset q = packed.start[k];
      for (Offset p = g.start[i]; p < g.start[i + 1]; ++p, ++q) {
        packed.index[q] = g.index[p];
        packed.from.set(q, g.from[p]);
      }
      if (!g.diagonal.empty()) packed.diagonal[k] = g.diagonal[i];
    }
  });
}

// Extra diagonals are named by position now; there are hardly ever any.
void move_extra(const DependencyGraph& g, PackedPattern& packed) {
  if (g.extra.empty()) return;
  Buffer<Index> position(g.n);
  for (Index k = 0; k < g.n; ++k) position[packed.order[k]] = k;
  for (const ExtraDiagonal& e : g.extra) packed.extra.push_back({position[e.unknown], e.source});
}

}  // namespace

PackedPattern pack_pattern(DependencyGraph&& g, Buffer<Index>&& order, Index threads) {
  if (is_plain_sweep(order)) return adopt(std::move(g), std::move(order));
  PackedPattern packed;
  packed.n = g.n;
  packed.lists = g.lists;
  packed.order = std::move(order);
  packed.start.resize(static_cast<std::size_t>(g.n) + 1);
  packed.start[0] = 0;
  for (Index k = 0; k < g.n; ++k) {
    const Index i = packed.order[k];
    packed.start[k + 1] = packed.start[k] + (g.start[i + 1] - g.start[i]);
  }
  packed.index.resize(g.index.size());
  packed.from.resize(g.nonzeros(), g.from.wide());
  packed.diagonal.resize(g.diagonal.size());
  copy_lists(g, packed, thread_count(threads));
  move_extra(g, packed);
  return packed;
}

}  // namespace echelon
