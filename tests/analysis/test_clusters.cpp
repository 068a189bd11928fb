// tests/analysis/test_clusters.cpp -- runs of the sweep are cut where lines begin, and depend on
// what their rows depend on.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "analysis/clusters.hpp"
#include "echelon/generate.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

DependencyGraph graph_of(const Csr<double>& a, Uplo uplo = Uplo::lower) {
  return find_dependency_graph(
      triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore}), Order::rows);
}

TEST(Clusters, AreCutWhereTheLinesOfAGridBegin) {
  const auto a = generate<double>("laplace2d:100x7:5");
  const auto g = graph_of(a);
  const Clusters c = find_clusters(g, 64, {}, 2);
  std::vector<Index> expected;  // two pieces of 50 per line
  for (Index k = 0; k <= 14; ++k) expected.push_back(50 * k);
  EXPECT_EQ(std::vector<Index>(c.first.begin(), c.first.end()), expected);
}

// The clusters' edges are exactly those of their rows.
void expect_edges_of_rows(const DependencyGraph& g, const Clusters& c) {
  std::vector<Index> cluster_of(static_cast<std::size_t>(g.n));
  for (Index k = 0; k < c.graph.n; ++k)
    for (Index at = c.first[k]; at < c.first[k + 1]; ++at) cluster_of[at] = k;
  double work = 0;
  for (Index k = 0; k < c.graph.n; ++k) {
    std::set<Index> needed;
    for (Index at = c.first[k]; at < c.first[k + 1]; ++at)
      for (const Index j : g.list(g.unknown(at))) needed.insert(cluster_of[g.unknown(j)]);
    needed.erase(k);
    const auto list = c.graph.list(k);
    EXPECT_EQ(std::set<Index>(list.begin(), list.end()), needed);
    EXPECT_EQ(list.size(), needed.size());
    for (const Index d : list) EXPECT_LT(d, k);
    work += c.work[k];
  }
  EXPECT_DOUBLE_EQ(work, static_cast<double>(g.nonzeros) + ScheduleOptions().row_work * g.n);
}

TEST(Clusters, NeedWhatTheirRowsNeed) {
  const auto a = test::random_matrix<double>({.n = 1000, .per_row = 4, .bandwidth = 60});
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const auto g = graph_of(a, uplo);
    const Clusters fine = find_clusters(g, 8, {}, 3);
    expect_edges_of_rows(g, fine);
    expect_edges_of_rows(g, merge_clusters(fine, 64));
  }
}

TEST(Clusters, OfManySizesCoverTheSweep) {
  for (const Index n : {1, 2, 7, 8, 9, 100}) {
    const auto a = test::random_matrix<double>({.n = n, .per_row = 2});
    const Clusters c = find_clusters(graph_of(a), 8, {}, 1);
    EXPECT_EQ(c.first.front(), 0);
    EXPECT_EQ(c.first.back(), n);
    for (Index k = 0; k < c.graph.n; ++k) EXPECT_LT(c.first[k], c.first[k + 1]);
  }
}

}  // namespace
}  // namespace echelon
