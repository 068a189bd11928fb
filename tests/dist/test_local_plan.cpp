// tests/dist/test_local_plan.cpp -- properties of the plans of all ranks together, on all grids up
// to five by five.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "dist/patterns.hpp"

namespace echelon {
namespace {

struct Case {
  Supernodes s;
  BlockMap map;
  TreeShape shape;
  std::vector<LocalPlan> plans;
};

// Calls body(case) for every grid, mapping, shape and some patterns.
template <class Body>
void for_cases(const Body& body) {
  std::vector<Supernodes> patterns = {
      test::random_supernodes(0, 1, 0, 1), test::random_supernodes(1, 4, 0, 1),
      test::random_supernodes(3, 2, 2, 2), test::random_supernodes(23, 5, 4, 3),
      test::closed_supernodes(40, 4, 1.5, 4)};
  for (const Supernodes& s : patterns)
    for (Index rows = 1; rows <= 5; ++rows)
      for (Index cols = 1; cols <= 5; ++cols)
        for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree, Mapping::balanced})
          for (const TreeShape shape : {TreeShape::binary, TreeShape::flat}) {
            SCOPED_TRACE(std::to_string(s.count()) + " supernodes on " + std::to_string(rows) +
                         "x" + std::to_string(cols) + ", " + name(mapping) + ", " + name(shape));
            Case c{s, map_blocks(s, {rows, cols}, mapping), shape, {}};
            if ((rows + cols) % 2 == 1) c.map = c.map.transposed();
            c.plans = make_local_plans(s, c.map, shape);
            body(c);
          }
}

TEST(LocalPlans, HaveEveryEntryOnce) {
  for_cases([](const Case& c) {
    std::map<std::pair<Index, Index>, int>
        seen;  // supernode and position: number of ranks with the row
    std::vector<Index> rows;
    for (const LocalPlan& plan : c.plans)
      for (Index k = 0; k < plan.nodes(); ++k) {
        list_positions(plan, k, rows);
        for (const Index i : rows) ++seen[{plan.node[k], i}];
        ASSERT_EQ(plan.local_of[plan.node[k]], k);
        ASSERT_EQ(plan.diagonal[k] >= 0, plan.root[plan.node[k]] == plan.rank);
      }
    std::size_t expected = 0;
    for (Index t = 0; t < c.s.count(); ++t) {
      for (Index i = c.s.first[t]; i < c.s.first[t + 1]; ++i) ASSERT_EQ((seen[{t, i}]), 1);
      for (const Index i : c.s.rows(t)) ASSERT_EQ((seen[{t, i}]), 1);
      expected += static_cast<std::size_t>(c.s.width(t) + c.s.height(t));
    }
    ASSERT_EQ(seen.size(), expected);
  });
}

// A rank with rows of a column can also get the column's diagonal block, for any owner.
TEST(LocalPlans, ListDiagonalsOfOtherRanksWhereAsked) {
  for_cases([](const Case& c) {
    std::vector<Index> rows, all;
    for (const LocalPlan& plan : c.plans)
      for (Index k = 0; k < plan.nodes(); ++k) {
        list_positions(plan, k, rows);
        list_positions(plan, k, all, true);
        if (!rows.empty() && plan.diagonal[k] < 0)
          for (Index i = plan.width(k); i-- > 0;)
            rows.insert(rows.begin(), plan.first[plan.node[k]] + i);
        ASSERT_EQ(all, rows);
      }
  });
}

TEST(LocalPlans, ListTheirBlocksByColumnsAndByRows) {
  for_cases([](const Case& c) {
    for (const LocalPlan& plan : c.plans) {
      ASSERT_EQ(plan.in_row.size(), plan.block.size());
      for (Index k = 0; k < plan.nodes(); ++k) {
        Offset at = plan.row_start[k];
        for (Index b = plan.block_start[k]; b < plan.block_start[k + 1]; ++b) {
          const LocalPlan::Block& block = plan.block[b];
          ASSERT_EQ(block.column, k);
          ASSERT_EQ(block.begin, at);
          ASSERT_LT(block.begin, block.end);
          for (at = block.begin; at < block.end; ++at) {
            ASSERT_GE(plan.row[at], plan.start[block.row]);
            ASSERT_LT(plan.row[at], plan.start[block.row + 1]);
          }
        }
        ASSERT_EQ(at, plan.row_start[k + 1]);
        for (Index q = plan.in_row_start[k]; q < plan.in_row_start[k + 1]; ++q)
          ASSERT_EQ(plan.block[plan.in_row[q]].row, k);
      }
    }
  });
}

TEST(LocalPlans, ExpectWhatIsSent) {
  for_cases([](const Case& c) {
    for (const Way way : {Way::forwards, Way::backwards}) {
      std::vector<PassTraffic> traffic;
      for (const LocalPlan& plan : c.plans) traffic.push_back(count_traffic(plan, way));
      for (std::size_t a = 0; a < c.plans.size(); ++a)
        for (std::size_t b = 0; b < c.plans.size(); ++b) {
          ASSERT_EQ(traffic[a].sent.messages[b], traffic[b].received.messages[a]);
          ASSERT_EQ(traffic[a].sent.numbers[b], traffic[b].received.numbers[a]);
          if (a == b) {
            ASSERT_EQ(traffic[a].sent.messages[b], 0);
          }
        }
    }
  });
}

// Walks a tree from its root; returns all ranks reached.
std::multiset<Index> reached(const Case& c, Index t, bool down) {
  std::multiset<Index> ranks;
  std::vector<Index> open = {c.map.root(t)};
  while (!open.empty()) {
    const Index rank = open.back();
    open.pop_back();
    ranks.insert(rank);
    const LocalPlan& plan = c.plans[rank];
    const Index k = plan.local_of[t];
    if (k < 0) continue;
    const RankTrees& trees = down ? plan.column : plan.across;
    const auto children = trees.children(k);
    if (c.shape == TreeShape::binary) {
      EXPECT_LE(children.size(), 2u);
    }
    for (const Index child : children) {
      const LocalPlan& theirs = c.plans[child];
      const Index there = theirs.local_of[t];
      EXPECT_GE(there, 0);
      if (there < 0) continue;
      EXPECT_EQ((down ? theirs.column : theirs.across).parent[there], rank);
      open.push_back(child);
    }
  }
  return ranks;
}

TEST(Trees, ReachEachRankThatHasABlockOnceAndNoOther) {
  for_cases([](const Case& c) {
    for (Index t = 0; t < c.s.count(); ++t)
      for (const bool down : {true, false}) {
        std::multiset<Index> expected = {c.map.root(t)};
        for (const LocalPlan& plan : c.plans) {
          const Index k = plan.local_of[t];
          if (k < 0 || plan.rank == c.map.root(t)) continue;
          const bool has =
              down ? plan.height(k) > 0 : plan.in_row_start[k + 1] > plan.in_row_start[k];
          if (has) expected.insert(plan.rank);
        }
        ASSERT_EQ(reached(c, t, down), expected);
      }
  });
}

// The facts known on each rank, derived repeatedly from known ones.
class Knowledge {
 public:
  Knowledge(const Case& c, Way way) : c_(c), forwards_(way == Way::forwards) {
    for (const LocalPlan& plan : c.plans) {
      answers_.emplace_back(plan.nodes(), 0);
      sums_.emplace_back(plan.nodes(), 0);
    }
  }
  // Returns false if nothing new is found.
  bool grow() {
    bool grew = false;
    for (const LocalPlan& plan : c_.plans)
      for (Index k = 0; k < plan.nodes(); ++k) {
        char& sum = sums_[plan.rank][k];
        char& answer = answers_[plan.rank][k];
        const bool complete = !sum && sum_is_complete(plan, k);
        if (complete) sum = 1;
        const bool here = !answer && answer_is_here(plan, k);
        if (here) answer = 1;
        grew = grew || complete || here;
      }
    return grew;
  }
  bool has_all() const {
    for (const LocalPlan& plan : c_.plans)
      for (Index k = 0; k < plan.nodes(); ++k)
        if (plan.diagonal[k] >= 0 && !answers_[plan.rank][k]) return false;
    return true;
  }

 private:
  bool known(const std::vector<std::vector<char>>& of, Index rank, Index supernode) const {
    return of[rank][c_.plans[rank].local_of[supernode]] != 0;
  }
  bool sum_is_complete(const LocalPlan& plan, Index k) const {
    const RankTrees& tree = forwards_ ? plan.across : plan.column;
    for (const Index child : tree.children(k))
      if (!known(sums_, child, plan.node[k])) return false;
    const Index begin = forwards_ ? plan.in_row_start[k] : plan.block_start[k];
    const Index end = forwards_ ? plan.in_row_start[k + 1] : plan.block_start[k + 1];
    for (Index q = begin; q < end; ++q) {
      const LocalPlan::Block& b = plan.block[forwards_ ? plan.in_row[q] : q];
      if (!answers_[plan.rank][forwards_ ? b.column : b.row]) return false;
    }
    return true;
  }
  bool answer_is_here(const LocalPlan& plan, Index k) const {
    if (plan.diagonal[k] >= 0) return sums_[plan.rank][k] != 0;
    const Index parent = (forwards_ ? plan.column : plan.across).parent[k];
    return parent >= 0 && known(answers_, parent, plan.node[k]);
  }

  const Case& c_;
  bool forwards_;
  std::vector<std::vector<char>> answers_, sums_;  // by rank and node
};

TEST(LocalPlans, LetNoRankWaitForItself) {
  for_cases([](const Case& c) {
    for (const Way way : {Way::forwards, Way::backwards}) {
      Knowledge knowledge(c, way);
      while (knowledge.grow()) {
      }
      ASSERT_TRUE(knowledge.has_all());
    }
  });
}

// Two chains: 0 -> 2 -> 3 and 1 -> 3.
TEST(Hops, AreThoseOfTheLongestPath) {
  Supernodes s;
  s.n = 4;
  s.first = {0, 1, 2, 3, 4};
  s.row_start = {0, 1, 2, 3, 3};
  s.row = {2, 3, 3};
  const auto hops = [&](ProcessGrid grid, Way way) {
    return count_hops(make_local_plans(s, map_blocks(s, grid, Mapping::cyclic), TreeShape::binary),
                      way);
  };
  EXPECT_EQ(hops({1, 1}, Way::forwards), 0);
  // Cyclic columns: 0 and 2 are on one rank, 1 and 3 on the other: one message from 2 to 3.
  EXPECT_EQ(hops({1, 2}, Way::forwards), 1);
  EXPECT_EQ(hops({1, 2}, Way::backwards), 1);
  EXPECT_EQ(hops({2, 1}, Way::forwards), 1);
  EXPECT_EQ(hops({2, 2}, Way::forwards), 2);  // 2 to its row's rank, and from there to 3
  EXPECT_EQ(hops({2, 2}, Way::backwards), 2);
}

TEST(Hops, OfADenseTriangleInTurn) {
  const Index n = 6;
  Supernodes s;
  s.n = n;
  s.first.clear();
  s.row_start.clear();
  for (Index k = 0; k <= n; ++k) s.first.push_back(k);
  s.row_start.push_back(0);
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) s.row.push_back(i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  for (const ProcessGrid& grid : {ProcessGrid{1, 2}, {2, 1}})
    for (const Way way : {Way::forwards, Way::backwards})
      EXPECT_EQ(
          count_hops(make_local_plans(s, map_blocks(s, grid, Mapping::cyclic), TreeShape::binary),
                     way),
          n - 1);
}

}  // namespace
}  // namespace echelon
