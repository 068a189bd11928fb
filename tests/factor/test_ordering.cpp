// tests/factor/test_ordering.cpp -- the graph of A + A^T, its orderings, and postorders.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"
#include "factor/ordering.hpp"

namespace echelon {
namespace {

Adjacency graph(const char* text) { return find_adjacency(test::picture<double>(text).pattern()); }

TEST(AdjacencyOf, AMatrixIsSymmetricAndHasNoDiagonal) {
  const Adjacency g = graph(R"( x x . .
                                . x . x
                                x . . .
                                . x . x )");
  EXPECT_EQ(g.start, (std::vector<Index>{0, 2, 4, 5, 6}));
  EXPECT_EQ(g.index, (std::vector<Index>{1, 2, 0, 3, 0, 1}));
}

TEST(AdjacencyOf, NothingIsNothing) { EXPECT_EQ(find_adjacency(Csr<double>{}.pattern()).n(), 0); }

// Entries of the Cholesky factor of the graph in this order, by the simplest algorithm.
Offset fill(const Adjacency& g, const std::vector<Index>& order) {
  const Index n = g.n();
  std::vector<Index> position(order.size());
  for (Index k = 0; k < n; ++k) position[order[k]] = k;
  std::vector<std::vector<bool>> below(n, std::vector<bool>(n));
  Offset count = n;
  for (Index k = 0; k < n; ++k)
    for (Index p = g.start[order[k]]; p < g.start[order[k] + 1]; ++p)
      below[std::min(k, position[g.index[p]])][std::max(k, position[g.index[p]])] = true;
  for (Index k = 0; k < n; ++k) {
    Index parent = k + 1;
    while (parent < n && !below[k][parent]) ++parent;
    for (Index i = parent; i < n; ++i) {
      count += below[k][i] ? 1 : 0;
      if (below[k][i] && i > parent) below[parent][i] = true;
    }
  }
  return count;
}

TEST(Postorder, KeepsTheFill) {
  const auto a = generate<double>("laplace2d:9x8");
  const Adjacency g = find_adjacency(a.pattern());
  for (const Ordering wanted : {Ordering::metis, Ordering::amd, Ordering::natural}) {
    if (!test::has_ordering(wanted)) continue;
    const std::vector<Index> order = find_order(g, wanted), post = postorder(g, order);
    std::vector<Index> sorted = post;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, find_order(g, Ordering::natural));
    EXPECT_EQ(fill(g, post), fill(g, order));
    EXPECT_EQ(postorder(g, post), post);
  }
}

TEST(Postorder, PutsTheColumnsOfASubtreeInTurn) {
  const Adjacency g = graph(R"( x . x . .
                                . x . x .
                                x . x . x
                                . x . x x
                                . . x x x )");
  EXPECT_EQ(postorder(g, {0, 1, 2, 3, 4}), (std::vector<Index>{0, 2, 1, 3, 4}));
}

TEST(Orders, AreOfLessFillThanNone) {
  const Adjacency g = find_adjacency(generate<double>("laplace2d:16").pattern());
  const Offset natural = fill(g, find_order(g, Ordering::natural));
  for (const Ordering wanted : {Ordering::amd, Ordering::metis}) {
    if (!test::has_ordering(wanted)) GTEST_SKIP() << "no such ordering in this build";
    EXPECT_LT(fill(g, find_order(g, wanted)), natural);
  }
}

TEST(Orders, OfAGraphWithoutEdgesExist) {
  for (const char* const text : {"", "x", "x .\n . x"}) {
    const Adjacency g = graph(text);
    for (const Ordering wanted : {Ordering::metis, Ordering::amd})
      EXPECT_TRUE(!test::has_ordering(wanted) ||
                  find_order(g, wanted).size() == static_cast<std::size_t>(g.n()));
  }
}

}  // namespace
}  // namespace echelon
