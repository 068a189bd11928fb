// tests/factor/test_automatic_order.cpp -- the order of less fill is taken.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "echelon/generate.hpp"
#include "factor/ordering.hpp"

namespace echelon {
namespace {

Adjacency graph_of(const Csr<double>& a) { return find_adjacency(a.pattern()); }

TEST(FactorEntries, AreCountedByHand) {
  const auto arrow = test::picture<double>(R"( x x x x
                                               x x . .
                                               x . x .
                                               x . . x )");
  EXPECT_EQ(forecast_factor(graph_of(arrow), {0, 1, 2, 3}).entries, 10);
  EXPECT_EQ(forecast_factor(graph_of(arrow), {1, 2, 3, 0}).entries, 7);
  EXPECT_EQ(forecast_factor(Adjacency{}, {}).entries, 0);
}

TEST(FactorEntries, AreThoseOfAFactorization) {
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD here";
  for (const char* const recipe : {"laplace2d:13x7", "laplace3d:5", "elasticity3d:2"}) {
    const auto a = generate<double>(recipe);
    const FactorOptions natural{.order = Ordering::natural, .simplicial = true};
    const Factors<double> f = factor_cholmod<double>(a, natural);
    const Adjacency g = graph_of(a);
    EXPECT_EQ(forecast_factor(g, natural_order(g)).entries, f.lower.nonzeros) << recipe;
  }
}

TEST(AutomaticOrders, HaveNoMoreFillThanTheirSources) {
  if (!test::has_ordering(Ordering::amd) || !test::has_ordering(Ordering::metis))
    GTEST_SKIP() << "without AMD or METIS";
  for (const char* const recipe : {"laplace2d:30", "laplace3d:12", "laplace2d:1000x2"}) {
    const Adjacency g = graph_of(generate<double>(recipe));
    Ordering used = Ordering::automatic;
    const std::vector<Index> order = find_order(g, Ordering::automatic, &used);
    const auto entries = [&](Ordering o) {
      return static_cast<double>(forecast_factor(g, find_order(g, o)).entries);
    };
    const double least = std::min(entries(Ordering::amd), entries(Ordering::metis));
    EXPECT_LE(static_cast<double>(forecast_factor(g, order).entries), 1.1 * least) << recipe;
    EXPECT_EQ(order, find_order(g, used)) << recipe;
  }
}

TEST(AutomaticOrders, OfChainsForAGpuHaveLowTrees) {
  if (!test::has_ordering(Ordering::amd) || !test::has_ordering(Ordering::metis))
    GTEST_SKIP() << "without AMD or METIS";
  const Adjacency g = graph_of(generate<double>("laplace2d:20000x1"));
  Ordering used = Ordering::automatic;
  const auto cpu = forecast_factor(g, find_order(g, Ordering::automatic, &used));
  EXPECT_EQ(used, Ordering::amd);
  const auto gpu = forecast_factor(g, find_order(g, Ordering::automatic, &used, Backend::cuda));
  EXPECT_EQ(used, Ordering::metis);
  EXPECT_GE(gpu.entries, cpu.entries);
  EXPECT_LT(100 * gpu.chain, cpu.chain);
  // Of a grid, and of a chain that is short, the entries decide.
  find_order(graph_of(generate<double>("laplace2d:60x1")), Ordering::automatic, &used,
             Backend::cuda);
  EXPECT_EQ(used, Ordering::amd);
}

TEST(AutomaticOrders, OfChainsAreAmdWithoutTryingMetis) {
  if (!test::has_ordering(Ordering::amd)) GTEST_SKIP() << "without AMD";
  Ordering used = Ordering::automatic;
  find_order(graph_of(generate<double>("laplace2d:500x1")), Ordering::automatic, &used);
  EXPECT_EQ(used, Ordering::amd);
  EXPECT_TRUE(find_order(Adjacency{}, Ordering::automatic, &used).empty());
}

}  // namespace
}  // namespace echelon
