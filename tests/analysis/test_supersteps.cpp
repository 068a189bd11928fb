// tests/analysis/test_supersteps.cpp -- a schedule runs each unknown once, after its dependencies,
// in few supersteps if the pattern allows it.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/analysis.hpp"
#include "echelon/generate.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

struct Case {
  DependencyGraph graph;
  LevelSets levels;
  Supersteps steps;
};

Case schedule(const Csr<double>& a, Index parts, Uplo uplo = Uplo::lower) {
  Case c;
  c.graph = find_dependency_graph(
      triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore}), Order::rows);
  c.levels = find_level_sets(c.graph);
  c.steps = find_supersteps(c.graph, c.levels, parts);
  return c;
}

// Runs the tasks like the executor.  A thread may read its own earlier work, and the work other
// threads had finished when it last waited for them.
void expect_valid(const Case& c) {
  const Supersteps& s = c.steps;
  const Index n = c.graph.n;
  std::vector<Index> step(n, -1), part(n, -1), position(n, -1);
  for (Index task = 0; task < s.count * s.parts; ++task) {
    for (Index k = s.start[task]; k < s.start[task + 1]; ++k) {
      const Index i = s.order[k];
      ASSERT_EQ(position[i], -1) << "twice";
      step[i] = task / s.parts;
      part[i] = task % s.parts;
      position[i] = k;
    }
  }
  ASSERT_EQ(s.start[s.count * s.parts], n);
  std::vector<Index> known(static_cast<std::size_t>(s.parts) * s.parts, -1);
  for (Index task = 0; task < s.count * s.parts; ++task) {
    const Index t = task % s.parts;
    for (Index w = s.wait_start[task]; w < s.wait_start[task + 1]; ++w) {
      ASSERT_LT(s.waits[w].step, task / s.parts) << "waits for its own superstep";
      ASSERT_NE(s.waits[w].part, t);
      ASSERT_GT(s.waits[w].step, known[t * s.parts + s.waits[w].part]) << "not pruned";
      known[t * s.parts + s.waits[w].part] = s.waits[w].step;
    }
    for (Index k = s.start[task]; k < s.start[task + 1]; ++k) {
      for (const Index j : c.graph.list(s.order[k])) {
        if (part[j] == t)
          ASSERT_LT(position[j], k);
        else
          ASSERT_LE(step[j], known[t * s.parts + part[j]]);
      }
    }
  }
}

TEST(Supersteps, RunEachUnknownOnceAfterWhatItNeeds) {
  const Csr<double> matrices[] = {
      Csr<double>(),
      generate<double>("bidiagonal:40"),
      generate<double>("dense:30"),
      generate<double>("laplace2d:60x61:5"),
      generate<double>("laplace2d:16x300:9"),
      generate<double>("laplace3d:12x13x14:7"),
      generate<double>("laplace3d:8x9x40:27"),
      generate<double>("elasticity2d:30x31"),
      test::random_matrix<double>({.n = 3000, .per_row = 3}),
      test::random_matrix<double>({.n = 3000, .per_row = 6, .bandwidth = 40}),
      test::random_matrix<double>({.n = 2000, .per_row = 0}),
  };
  for (const auto& a : matrices)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Index parts : {1, 2, 3, 8, 40}) expect_valid(schedule(a, parts, uplo));
}

TEST(Supersteps, OneThreadSweepsInOneTask) {
  const Case c = schedule(generate<double>("laplace2d:30x30:5"), 1);
  EXPECT_EQ(c.steps.count, 1);
  EXPECT_TRUE(c.steps.waits.empty());
  EXPECT_TRUE(std::is_sorted(c.steps.order.begin(), c.steps.order.end()));
}

TEST(Supersteps, GatherLevelsAndKeepBothThreadsBusy) {
  for (const char* spec : {"laplace2d:512x512:5", "laplace2d:512x512:9", "laplace3d:48x48x48:7",
                           "laplace3d:32x32x128:27"}) {
    const Case c = schedule(generate<double>(spec), 2);
    EXPECT_LT(c.steps.count, c.levels.count()) << spec;
    EXPECT_GT(c.steps.speedup(), 1.5) << spec;
  }
}

TEST(Supersteps, PredictNoGainOnAChain) {
  const Case c = schedule(generate<double>("bidiagonal:100000"), 2);
  EXPECT_LT(c.steps.speedup(), 1.05);
}

TEST(Supersteps, GiveIndependentRowsToAllThreads) {
  const Case c = schedule(test::random_matrix<double>({.n = 100000, .per_row = 0}), 4);
  EXPECT_GT(c.steps.speedup(), 3.5);
}

TEST(Supersteps, AreRefusedWithoutRowsOrThreads) {
  const auto a = generate<double>("laplace2d:5x5:5");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto columns = find_dependency_graph(t, Order::columns);
  EXPECT_THROW(find_supersteps(columns, find_level_sets(columns), 2), Error);
  const auto rows = find_dependency_graph(t, Order::rows);
  EXPECT_THROW(find_supersteps(rows, find_level_sets(rows), 0), Error);
}

}  // namespace
}  // namespace echelon
