// batch/batch_plan.cpp -- the plan of a batch from the pattern of one of its triangles.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The rows of the dependency graph are copied in their new order, each with its diagonal
// at the end.  An entry that comes twice in a row becomes one with two sources, so that a scatter
// never meets the same unknown twice in a row.  Inside a level the longest rows come first: rows
// that a warp solves together then have about the same length.
#include "batch/batch_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/refuse.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

void order_by_levels(const DependencyGraph& g, Index threads, BatchPlan& plan) {
  LevelSets levels = find_level_sets(g, threads);
  plan.row = std::move(levels.order);
  plan.level = std::move(levels.start);
  const auto longer = [&](Index i, Index j) { return g.length[i] > g.length[j]; };
  for (std::size_t l = 0; l + 1 < plan.level.size(); ++l)
    std::stable_sort(plan.row.begin() + plan.level[l], plan.row.begin() + plan.level[l + 1],
                     longer);
}

// Entries of one plan, as they are found.
class Entries {
 public:
  explicit Entries(BatchPlan& plan) : plan_(plan), seen_(static_cast<std::size_t>(plan.n), -1) {}

  void begin_row() { begin_ = plan_.entries(); }
  void add(Index unknown, Offset place) {
    const Index before = seen_[unknown];
    if (before >= begin_) {
      plan_.more.push_back({place, plan_.source[before].next});
      plan_.source[before].next = static_cast<Index>(plan_.more.size()) - 1;
      return;
    }
    seen_[unknown] = plan_.entries();
    plan_.index.push_back(unknown);
    plan_.source.push_back({place, -1});
  }

 private:
  BatchPlan& plan_;
  std::vector<Index> seen_;  // the last entry of each unknown
  Index begin_ = 0;          // of this row
};

void copy_rows(const DependencyGraph& g, BatchPlan& plan) {
  Entries entries(plan);
  const auto& extra = g.extra;  // sorted by unknown
  const auto below = [](const ExtraDiagonal& e, Index i) { return e.unknown < i; };
  plan.start.assign(1, 0);
  for (const Index i : plan.row) {
    entries.begin_row();
    for (Offset p = g.first[i]; p < g.first[i] + g.length[i]; ++p)
      entries.add(g.index[p], g.from.empty() ? p : g.from[p]);
    if (!plan.unit) {
      entries.add(i, g.diagonal[i]);
      for (auto e = std::lower_bound(extra.begin(), extra.end(), i, below);
           e != extra.end() && e->unknown == i; ++e)
        entries.add(i, e->source);
    }
    plan.start.push_back(plan.entries());
  }
}

}  // namespace

BatchPlan make_batch_plan(const TrianglePattern& t, bool conjugated, BatchOrder order,
                          Index threads) {
  const DependencyGraph g = find_dependency_graph(t, Order::rows, threads);
  if (g.nonzeros + g.n > std::numeric_limits<Index>::max())
    refuse("a batch takes patterns of fewer than 2^31 entries, not of " +
           std::to_string(g.nonzeros + g.n));
  BatchPlan plan;
  plan.n = g.n;
  plan.unit = t.diagonal == Diagonal::unit;
  plan.conjugated = conjugated;
  plan.stored_count = t.stored.nonzeros();
  plan.index.reserve(static_cast<std::size_t>(g.nonzeros + g.n));
  plan.source.reserve(static_cast<std::size_t>(g.nonzeros + g.n));
  if (order == BatchOrder::levels) {
    order_by_levels(g, threads, plan);
  } else {
    plan.row.resize(static_cast<std::size_t>(g.n));
    for (Index k = 0; k < g.n; ++k) plan.row[k] = g.unknown(k);
  }
  copy_rows(g, plan);
  return plan;
}

}  // namespace echelon
