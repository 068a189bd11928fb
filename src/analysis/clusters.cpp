// analysis/clusters.cpp -- cuts the sweep into runs and finds the dependencies between them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  On a grid numbered line by line, a run that continues the line before depends on its
// predecessor, so such runs form one chain; runs cut at the ends of lines do not.  The row at which
// a line or plane begins is recognized by its reach: the nearest row it depends on is far back.  So
// the sweep is first cut at rows whose reach exceeds the size of a run, and then into equal pieces.
// Larger clusters are merged from smaller ones by the same rule.
#include "analysis/clusters.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Offset cluster_grain = 1 << 13;

// The boundaries of runs over items (rows or clusters) with given first rows and reaches.
template <class FirstRow, class Reach>
Buffer<Index> cut_runs(Index items, Index size, const FirstRow& first_row, const Reach& reach) {
  Buffer<Index> cuts(1, 0);  // in items
  Index begin = 0;
  const auto close = [&](Index end) {
    const Index rows = first_row(end) - first_row(begin);
    const Index pieces = std::max<Index>(1, (rows + size / 2) / size);
    for (Index piece = 1; piece < pieces; ++piece) {
      const auto goal = first_row(begin) + static_cast<Index>(piece_begin(rows, piece, pieces));
      Index at = cuts.back() + 1;
      while (at < end && first_row(at) < goal) ++at;
      if (at < end) cuts.push_back(at);
    }
    cuts.push_back(end);
    begin = end;
  };
  // Omits a cut that would leave less than half a run.
  for (Index k = 1; k < items; ++k)
    if (reach(k) >= size && first_row(k) - first_row(begin) >= size / 2) close(k);
  if (items > 0) close(items);
  return cuts;
}

// Builds the edges between groups: for_each_need(group, visit) calls visit(needed group).
template <class ForEachNeed>
void connect(DependencyGraph& graph, Index threads, const ForEachNeed& for_each_need) {
  graph.first.resize(graph.n);
  graph.length.resize(graph.n);
  std::vector<Buffer<Index>> edges(threads);
  parallel_pieces(graph.n, cluster_grain / 8, threads, [&](Offset begin, Offset end, Index part) {
    Buffer<Index> seen(static_cast<std::size_t>(graph.n), -1);
    for (auto c = static_cast<Index>(begin); c < end; ++c) {
      const std::size_t before = edges[part].size();
      for_each_need(c, [&](Index d) {
        if (d == c || seen[d] == c) return;
        seen[d] = c;
        edges[part].push_back(d);
      });
      graph.length[c] = static_cast<Index>(edges[part].size() - before);
    }
  });
  for (Index c = 0; c < graph.n; ++c) {
    graph.first.set(c, graph.nonzeros);
    graph.nonzeros += graph.length[c];
  }
  graph.own_index.reserve(static_cast<std::size_t>(graph.nonzeros));
  for (const auto& part : edges)
    graph.own_index.insert(graph.own_index.end(), part.begin(), part.end());
  graph.index = graph.own_index;
}

Buffer<Index> group_of_items(const Buffer<Index>& cuts, Index items) {
  Buffer<Index> group(items);
  for (std::size_t c = 0; c + 1 < cuts.size(); ++c)
    std::fill(group.begin() + cuts[c], group.begin() + cuts[c + 1], static_cast<Index>(c));
  return group;
}

}  // namespace

Clusters find_clusters(const DependencyGraph& g, Index size, const ScheduleOptions& o,
                       Index threads) {
  // Indices here are sweep positions: g.unknown converts both ways.
  Buffer<Index> reach(g.n);
  parallel_pieces(g.n, cluster_grain, threads, [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      reach[k] = std::numeric_limits<Index>::max();
      for (const Index j : g.list(g.unknown(k))) reach[k] = std::min(reach[k], k - g.unknown(j));
    }
  });
  Clusters c;
  c.first = cut_runs(
      g.n, size, [](Index k) { return k; }, [&](Index k) { return reach[k]; });
  c.graph.n = static_cast<Index>(c.first.size()) - 1;
  const Buffer<Index> cluster_of = group_of_items(c.first, g.n);
  connect(c.graph, threads, [&](Index cluster, const auto& visit) {
    for (Index k = c.first[cluster]; k < c.first[cluster + 1]; ++k)
      for (const Index j : g.list(g.unknown(k))) visit(cluster_of[g.unknown(j)]);
  });
  c.reach.resize(c.graph.n);
  c.work.resize(c.graph.n);
  for (Index k = 0; k < c.graph.n; ++k) {
    c.reach[k] = reach[c.first[k]];
    c.work[k] = o.row_work * (c.first[k + 1] - c.first[k]);
    for (Index at = c.first[k]; at < c.first[k + 1]; ++at) c.work[k] += g.length[g.unknown(at)];
  }
  return c;
}

Clusters merge_clusters(const Clusters& fine, Index size) {
  const Index n = fine.graph.n;
  const Buffer<Index> cuts = cut_runs(
      n, size, [&](Index c) { return fine.first[c]; }, [&](Index c) { return fine.reach[c]; });
  const Buffer<Index> group = group_of_items(cuts, n);
  Clusters coarse;
  coarse.graph.n = static_cast<Index>(cuts.size()) - 1;
  connect(coarse.graph, 1, [&](Index c, const auto& visit) {
    for (Index k = cuts[c]; k < cuts[c + 1]; ++k)
      for (const Index d : fine.graph.list(k)) visit(group[d]);
  });
  coarse.work.assign(coarse.graph.n, 0);
  for (Index k = 0; k < n; ++k) coarse.work[group[k]] += fine.work[k];
  for (Index c = 0; c < coarse.graph.n; ++c) {
    coarse.first.push_back(fine.first[cuts[c]]);
    coarse.reach.push_back(fine.reach[cuts[c]]);
  }
  coarse.first.push_back(fine.first[n]);
  return coarse;
}

}  // namespace echelon
