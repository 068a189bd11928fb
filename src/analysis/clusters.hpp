// analysis/clusters.hpp -- runs of the sweep as single nodes of a smaller dependency graph.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/analysis.hpp"

namespace echelon {

// Cluster c holds the sweep positions [first[c], first[c+1]).  An unknown depends only on earlier
// unknowns of the sweep, so a cluster depends only on lower clusters: the graph is a lower
// triangle, and algorithms for rows also work for clusters.
struct Clusters {
  DependencyGraph graph;     // without sources and diagonal
  Buffer<Index> first;       // size graph.n+1
  Buffer<Index> reach;       // distance from the first row of a cluster to the nearest row it needs
  std::vector<double> work;  // by cluster
};

// Runs of about `size` rows.  O(n + nnz), on `threads` threads.
Clusters find_clusters(const DependencyGraph& g, Index size, const ScheduleOptions& o,
                       Index threads);

// Runs of clusters, of about `size` rows each.  O(clusters + edges).
Clusters merge_clusters(const Clusters& fine, Index size);

}  // namespace echelon
