// tests/exec/test_rank_pass.cpp -- all ranks of a solve as threads of one process: grids, trees,
// mappings, scalars, and the content of a trace.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <map>

#include "exec/rank_threads.hpp"

namespace echelon {
namespace {

using test::check, test::fill_pattern, test::Ranks;

template <class T>
class RankPasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(RankPasses, Scalars);

TYPED_TEST(RankPasses, SolveOnAllGrids) {
  using T = TypeParam;
  const Supernodes patterns[] = {
      test::random_supernodes(0, 1, 0, 1), test::random_supernodes(1, 5, 0, 1),
      test::random_supernodes(30, 45, 3, 2), test::closed_supernodes(40, 9, 1.5, 3)};
  for (const Supernodes& s : patterns) {
    const Csc<T> a = fill_pattern<T>(s, 60);
    for (const ProcessGrid& grid :
         {ProcessGrid{1, 1}, {1, 3}, {3, 1}, {2, 2}, {3, 2, true}, {4, 4}})
      for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree})
        for (const TreeShape shape : {TreeShape::binary, TreeShape::flat}) {
          Ranks<T> ranks(s, map_blocks(s, grid, mapping), shape, a, 3);
          for (const Way way : {Way::forwards, Way::backwards})
            for (const Index count : {1, 3}) {
              const auto b = test::random_vector<T>(static_cast<std::size_t>(s.n) * count);
              check(a, way, b, ranks.solve(way, b, count, 1), count);
            }
        }
  }
}

TYPED_TEST(RankPasses, GiveTheSameBitsWhoeverComesFirst) {
  using T = TypeParam;
  const Supernodes s = test::closed_supernodes(60, 8, 1.5, 9);
  const Csc<T> a = fill_pattern<T>(s, 40);
  const auto b = test::random_vector<T>(static_cast<std::size_t>(s.n) * 2);
  Ranks<T> ranks(s, map_blocks(s, {3, 2}, Mapping::cyclic), TreeShape::binary, a, 2);
  for (const Way way : {Way::forwards, Way::backwards}) {
    const std::vector<T> first = ranks.solve(way, b, 2, 0);
    for (unsigned seed = 1; seed < 20; ++seed) ASSERT_EQ(ranks.solve(way, b, 2, seed), first);
  }
}

TEST(RankPassesOfDoubles, SolveWithTrianglesWhereInversesAreNotTrusted) {
  const Supernodes s = test::closed_supernodes(20, 70, 1.5, 4);
  const Csc<double> a = fill_pattern<double>(s, 90);
  Ranks<double> ranks(s, map_blocks(s, {2, 2}, Mapping::cyclic), TreeShape::binary, a, 3,
                      {.largest_growth = 1.0001});
  EXPECT_GT(ranks.uninverted_blocks(), 0);
  for (const Way way : {Way::forwards, Way::backwards})
    for (const Index count : {1, 3}) {
      const auto b = test::random_vector<double>(static_cast<std::size_t>(s.n) * count);
      check(a, way, b, ranks.solve(way, b, count, 5), count);
    }
}

// Number of spans of one activity, by supernode.
std::map<Index, int> count_spans(const Timeline& t, Doing doing) {
  std::map<Index, int> count;
  for (const Span& s : t)
    if (s.doing == doing) ++count[s.supernode];
  return count;
}

// Each span begins at the end of the one before.
void expect_no_gap(const Timeline& t, Index rank) {
  double at = 0;
  for (const Span& s : t) {
    EXPECT_EQ(s.rank, rank);
    EXPECT_EQ(s.begin_s, at);
    EXPECT_GT(s.end_s, s.begin_s);
    EXPECT_EQ(s.supernode < 0, s.doing == Doing::wait);
    at = s.end_s;
  }
}

TEST(RankPassesOfDoubles, AreTraced) {
  const Supernodes s = test::closed_supernodes(30, 9, 1.5, 4);
  const Csc<double> a = fill_pattern<double>(s, 60);
  Ranks<double> ranks(s, map_blocks(s, {2, 2}, Mapping::cyclic), TreeShape::binary, a, 1);
  const auto b = test::random_vector<double>(static_cast<std::size_t>(s.n));
  for (const Way way : {Way::forwards, Way::backwards}) {
    const std::vector<double> plain = ranks.solve(way, b, 1, 1);
    std::vector<Timeline> lines(ranks.size());
    std::vector<Offset> before;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      before.push_back(ranks[r].pass->times().messages);
      ranks[r].pass->trace(&lines[r]);
    }
    EXPECT_EQ(ranks.solve(way, b, 1, 2), plain);
    std::size_t sent = 0, received = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const LocalPlan& plan = ranks[r].plan;
      expect_no_gap(lines[r], static_cast<Index>(r));
      std::size_t sends = 0;
      for (const auto& [supernode, count] : count_spans(lines[r], Doing::send)) sends += count;
      EXPECT_EQ(static_cast<Offset>(sends), ranks[r].pass->times().messages - before[r]);
      sent += sends;
      for (const auto& [supernode, count] : count_spans(lines[r], Doing::receive))
        received += static_cast<std::size_t>(count);
      const auto products = count_spans(lines[r], Doing::product);
      const auto sums = count_spans(lines[r], Doing::sum);
      for (Index c = 0; c < plan.nodes(); ++c) {
        EXPECT_EQ(products.count(plan.node[c]) > 0, plan.height(c) > 0);
        if (plan.diagonal[c] >= 0) {
          EXPECT_EQ(sums.at(plan.node[c]), 1);
        }
      }
      ranks[r].pass->trace(nullptr);
    }
    EXPECT_GT(sent, 0U);
    EXPECT_GE(received, sent);  // a receive may be split by the work it triggers
    const std::size_t size = lines[0].size();
    ranks.solve(way, b, 1, 3);
    EXPECT_EQ(lines[0].size(), size);
  }
}

}  // namespace
}  // namespace echelon
