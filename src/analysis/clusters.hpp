// analysis/clusters.hpp -- runs of the sweep taken as one unknown each: a smaller graph of the
// same kind.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/analysis.hpp"

namespace echelon {

// Cluster c holds the sweep positions [first[c], first[c+1]).  It needs only clusters below
// it, because an unknown needs only unknowns before it in the sweep: so the graph between
// clusters is a lower triangle, and everything that is done with rows can be done with them.
struct Clusters {
  DependencyGraph graph;     // without sources and diagonal
  Buffer<Index> first;       // size graph.n+1
  Buffer<Index> reach;       // rows from a cluster's first row back to the nearest it needs
  std::vector<double> work;  // of each cluster
};

// Runs of about `size` rows.  O(n + nnz), on `threads` threads.
Clusters find_clusters(const DependencyGraph& g, Index size, const ScheduleOptions& o,
                       Index threads);

// Runs of clusters, of about `size` rows each.  O(clusters and their edges).
Clusters merge_clusters(const Clusters& fine, Index size);

}  // namespace echelon
