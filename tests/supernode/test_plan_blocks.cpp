// tests/supernode/test_plan_blocks.cpp -- invariants of every plan: tasks, vectors, messages,
// levels and pieces.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "supernode/patterns.hpp"

namespace echelon {
namespace {

struct Planned {
  BlockPlan plan;
  SupernodeReport report;
};

Planned plan_for(const test::Sets& columns, Method method, SupernodeOptions o = {}) {
  const auto a = test::from_columns(columns);
  const DependencyGraph g = test::graph_of(a);
  Planned p;
  p.report.nonzeros = g.nonzeros + g.n;
  p.plan = plan_blocks(find_supernodes(g), recipe_of(method), o, p.report);
  return p;
}

test::Sets full(Index n) {
  test::Sets columns(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) columns[j].insert(i);
  return columns;
}

test::Sets scattered(Index n, unsigned seed) {
  test::Sets columns(static_cast<std::size_t>(n));
  std::mt19937 random(seed);
  for (Index j = 0; j + 1 < n; ++j)
    for (Index k = 0; k < 2; ++k)
      columns[j].insert(std::uniform_int_distribution<Index>(j + 1, n - 1)(random));
  return columns;
}

// The task of each supernode, and of each position.
std::vector<Index> task_of_supernodes(const BlockPlan& plan) {
  std::vector<Index> task(static_cast<std::size_t>(plan.supernodes.count()), -1);
  for (Index t = 0; t < plan.tasks(); ++t)
    for (Index k = plan.task_start[t]; k < plan.task_start[t + 1]; ++k) {
      EXPECT_EQ(task[plan.order[k]], -1) << "supernode " << plan.order[k] << " is in two tasks";
      task[plan.order[k]] = t;
    }
  return task;
}
std::vector<Index> task_of_positions(const BlockPlan& plan) {
  const auto of_supernode = task_of_supernodes(plan);
  std::vector<Index> task(static_cast<std::size_t>(plan.n));
  for (Index s = 0; s < plan.supernodes.count(); ++s)
    std::fill(task.begin() + plan.supernodes.first[s], task.begin() + plan.supernodes.first[s + 1],
              of_supernode[s]);
  return task;
}
std::vector<Index> level_of_tasks(const BlockPlan& plan) {
  std::vector<Index> level(static_cast<std::size_t>(plan.tasks()), -1);
  for (Index l = 0; l < plan.levels(); ++l)
    for (Index t = plan.level_start[l]; t < plan.level_start[l + 1]; ++t) level[t] = l;
  return level;
}

// The position at each place of a task's vector, straight from the definition.
std::vector<Index> vector_of(const BlockPlan& plan, Index t) {
  const Supernodes& s = plan.supernodes;
  std::vector<Index> positions;
  std::set<Index> outside;
  for (Index k = plan.task_start[t]; k < plan.task_start[t + 1]; ++k) {
    for (Index i = s.first[plan.order[k]]; i < s.first[plan.order[k] + 1]; ++i)
      positions.push_back(i);
    outside.insert(s.rows(plan.order[k]).begin(), s.rows(plan.order[k]).end());
  }
  for (const Index i : positions) outside.erase(i);
  positions.insert(positions.end(), outside.begin(), outside.end());
  return positions;
}

void check_tasks(const BlockPlan& plan) {
  const auto task = task_of_supernodes(plan);
  EXPECT_EQ(std::count(task.begin(), task.end(), -1), 0);
  EXPECT_EQ(plan.order.size(), task.size());
  for (Index t = 0; t < plan.tasks(); ++t)
    EXPECT_TRUE(std::is_sorted(plan.order.begin() + plan.task_start[t],
                               plan.order.begin() + plan.task_start[t + 1]));
}

void check_vectors(const BlockPlan& plan) {
  for (Index t = 0; t < plan.tasks(); ++t) {
    const auto positions = vector_of(plan, t);
    const auto size = static_cast<Offset>(positions.size());
    ASSERT_LE(plan.space_start[t] + size, plan.space_start[t + 1]) << "vectors overlap";
    ASSERT_EQ(plan.own[t] + plan.outside_start[t + 1] - plan.outside_start[t], size);
    EXPECT_TRUE(std::equal(positions.begin() + plan.own[t], positions.end(),
                           plan.outside.begin() + plan.outside_start[t]));
    const bool single = plan.task_start[t + 1] - plan.task_start[t] == 1;
    for (Index k = plan.task_start[t]; k < plan.task_start[t + 1]; ++k) {
      const auto rows = plan.supernodes.rows(plan.order[k]);
      const Offset begin = plan.local_start[k], count = plan.local_start[k + 1] - begin;
      ASSERT_EQ(count, single ? 0 : static_cast<Offset>(rows.size()));
      for (Offset i = 0; i < static_cast<Offset>(rows.size()); ++i)
        EXPECT_EQ(positions[single ? plan.own[t] + i : plan.local[begin + i]], rows[i]);
    }
  }
}

// Every outside place is fetched once, by its position, from an earlier task.
void check_messages(const BlockPlan& plan) {
  const auto task = task_of_positions(plan);
  const auto level = level_of_tasks(plan);
  std::vector<Index> position_at(static_cast<std::size_t>(plan.space()), -1);
  std::vector<Index> task_at(position_at.size(), -1);
  for (Index t = 0; t < plan.tasks(); ++t)
    for (Offset p = plan.outside_start[t]; p < plan.outside_start[t + 1]; ++p) {
      const Offset place = plan.space_start[t] + plan.own[t] + p - plan.outside_start[t];
      position_at[place] = plan.outside[p];
      task_at[place] = t;
    }
  ASSERT_EQ(plan.fetch.size(), plan.outside.size());
  for (Index i = 0; i < plan.n; ++i)
    for (Offset q = plan.fetch_start[i]; q < plan.fetch_start[i + 1]; ++q) {
      ASSERT_EQ(position_at[plan.fetch[q]], i);
      position_at[plan.fetch[q]] = -1;  // not twice
      EXPECT_LT(task_at[plan.fetch[q]], task[i]);
      EXPECT_LT(level[task_at[plan.fetch[q]]], level[task[i]]);
    }
}

void check_needs(const BlockPlan& plan) {
  const auto task = task_of_positions(plan);
  for (Index t = 0; t < plan.tasks(); ++t) {
    std::set<Index> wanted;
    for (Offset p = plan.outside_start[t]; p < plan.outside_start[t + 1]; ++p)
      wanted.insert(task[plan.outside[p]]);
    const std::multiset<Index> found(plan.need.begin() + plan.need_start[t],
                                     plan.need.begin() + plan.need_start[t + 1]);
    EXPECT_TRUE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end()));
  }
}

// The level is the longest path: each task depends on some task of the level before.
void check_levels(const BlockPlan& plan) {
  const auto level = level_of_tasks(plan);
  std::vector<Index> wanted(level.size(), 0);
  for (Index t = 0; t < plan.tasks(); ++t)
    for (Index p = plan.need_start[t]; p < plan.need_start[t + 1]; ++p) {
      ASSERT_GT(plan.need[p], t);
      wanted[plan.need[p]] = std::max(wanted[plan.need[p]], wanted[t] + 1);
    }
  EXPECT_EQ(level, wanted);
}

void check_tiles(const Chunks& chunks, Index t, Index end, Index step) {
  if (!chunks.shared(t)) return;
  EXPECT_EQ(chunks.begin[chunks.start[t]], 0);
  for (Index c = chunks.start[t] + 1; c < chunks.start[t + 1]; ++c) {
    EXPECT_GT(chunks.begin[c], chunks.begin[c - 1]);
    EXPECT_LT(chunks.begin[c], end);
    EXPECT_EQ(chunks.begin[c] % step, 0);
  }
}

void check_pieces(const BlockPlan& plan) {
  ASSERT_EQ(plan.partial_start.size(), plan.by_rows.begin.size() + 1);
  for (Index t = 0; t < plan.tasks(); ++t) {
    const Index k = plan.task_start[t], s = plan.order[k];
    const Index w = plan.supernodes.width(s), h = plan.supernodes.height(s);
    EXPECT_EQ(plan.by_rows.shared(t), plan.by_columns.shared(t));
    if (!plan.by_rows.shared(t)) continue;
    EXPECT_EQ(plan.task_start[t + 1] - k, 1) << "a task of several is cut";
    check_tiles(plan.by_rows, t, strip_count(w, h), 1);
    check_tiles(plan.by_columns, t, w, PanelShape::strip);
    for (Index c = plan.by_rows.start[t]; c < plan.by_rows.start[t + 1]; ++c)
      EXPECT_GE(plan.partial_start[c + 1] - plan.partial_start[c], w);
  }
}

void check_panels(const BlockPlan& plan) {
  const Supernodes& s = plan.supernodes;
  ASSERT_EQ(plan.value_start.size(), plan.order.size() + 1);
  for (std::size_t k = 0; k < plan.order.size(); ++k)
    EXPECT_EQ(plan.value_start[k + 1] - plan.value_start[k],
              panel_size(plan.layout, s.width(plan.order[k]), s.height(plan.order[k])));
}

void check_parts_of_plan(const BlockPlan& plan) {
  check_supernodes(plan.supernodes);
  check_tasks(plan);
  check_vectors(plan);
  check_messages(plan);
  check_needs(plan);
  check_levels(plan);
  check_pieces(plan);
  check_panels(plan);
}

void check_plan(const test::Sets& columns, Method method, const SupernodeOptions& o) {
  SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", n "
                                  << columns.size());
  const auto [plan, report] = plan_for(columns, method, o);
  ASSERT_EQ(plan.n, static_cast<Index>(columns.size()));
  EXPECT_EQ(test::count_uncovered(columns, plan.supernodes), 0);
  check_parts_of_plan(plan);
  EXPECT_EQ(report.count, plan.supernodes.count());
  EXPECT_EQ(report.tasks, plan.tasks());
  EXPECT_EQ(report.task_levels, plan.levels());
  EXPECT_EQ(report.stored, plan.values());
  EXPECT_EQ(report.explicit_zeros, plan.supernodes.entries() - report.nonzeros);
}

TEST(PlanBlocks, HoldsForEveryMethodAndPattern) {
  for (const Method method : {Method::plain, Method::team, Method::merge, Method::tree})
    for (const Index chunk : {1, 64, 16384}) {
      SupernodeOptions o;
      o.chunk_entries = chunk;
      o.subtree_share = chunk == 64 ? 0.2 : 0.01;
      for (const auto& columns :
           {test::Sets(0), test::Sets(1), test::Sets(9), full(3), full(100), scattered(60, 1),
            scattered(200, 2), test::dissected_grid(9, 8), test::dissected_grid(20, 21)})
        check_plan(columns, method, o);
    }
}

TEST(PlanBlocks, AChainHasOneTaskALevel) {
  const auto plan = plan_for({{1}, {2}, {3}, {4}, {}}, Method::team).plan;
  EXPECT_EQ(plan.supernodes.first, (Buffer<Index>{0, 1, 2, 3, 5}));
  EXPECT_EQ(plan.levels(), 4);
  EXPECT_EQ(plan.tasks(), 4);
}

// By hand: the tree is 0,1 -> 2 and 3,4 -> 5, both -> 6, 7, which form one supernode.  If all of it
// fits, it is one task; with a bound of 6 entries each half is one.
TEST(PlanBlocks, SubtreesBecomeTasksWithinTheBound) {
  const test::Sets columns{{2}, {2}, {6}, {5}, {5}, {6}, {7}, {}};
  const auto gathered = [&](Index chunk, double share = 1e-9) {
    SupernodeOptions o;
    o.chunk_entries = chunk;
    o.merge_zeros = 0;
    o.subtree_share = share;
    return plan_for(columns, Method::tree, o).plan;
  };
  EXPECT_EQ(gathered(100).tasks(), 1);
  EXPECT_EQ(gathered(100).levels(), 1);
  EXPECT_EQ(gathered(100, 0).tasks(), gathered(100).supernodes.count());
  const BlockPlan halves = gathered(3);
  EXPECT_EQ(halves.tasks(), 3);
  EXPECT_EQ(halves.levels(), 2);
  EXPECT_EQ(halves.own, (Buffer<Index>{3, 3, 2}));
  EXPECT_EQ(halves.outside, (Buffer<Index>{6, 6}));
}

TEST(PlanBlocks, SmallPanelsAreNotCut) {
  const auto plan = plan_for(full(60), Method::team).plan;
  EXPECT_FALSE(plan.by_rows.shared(0));
  SupernodeOptions o;
  o.chunk_entries = 200;
  EXPECT_TRUE(plan_for(full(60), Method::team, o).plan.by_rows.shared(0));
  EXPECT_FALSE(plan_for(full(60), Method::plain, o).plan.by_rows.shared(0));  // BLAS runs it whole
}

// As if these supernodes had been found at once.
TEST(PlanBlocks, CutPlansHoldToo) {
  for (const Method method : {Method::merge, Method::tree}) {
    const test::Sets columns = test::dissected_grid(20, 21);
    auto [plan, report] = plan_for(columns, method, {});
    const Buffer<Index>& whole = plan.supernodes.first;
    Buffer<Index> first(whole.begin(), whole.end());
    Index cut = 0;
    for (Index t = 0; t < plan.supernodes.count(); t += 2)
      if (plan.supernodes.width(t) > 2) {
        first.push_back(whole[t] + 1);
        first.push_back(whole[t] + 2);
        ++cut;
      }
    ASSERT_GT(cut, 0);
    std::ranges::sort(first);
    const SupernodeReport before = report;
    const BlockPlan parts = cut_blocks(plan, first, recipe_of(method), {}, report);
    EXPECT_EQ(parts.supernodes.first, first);
    EXPECT_EQ(parts.pull, plan.pull);
    EXPECT_EQ(parts.reversed, plan.reversed);
    EXPECT_EQ(report.cut, cut);
    EXPECT_EQ(report.count, before.count);
    EXPECT_EQ(test::count_uncovered(columns, parts.supernodes), 0);
    EXPECT_EQ(parts.supernodes.entries(), plan.supernodes.entries());
    check_parts_of_plan(parts);
    EXPECT_EQ(report.tasks, parts.tasks());
    EXPECT_EQ(report.stored, parts.values());
  }
}

TEST(PlanBlocks, BytesCountEveryArray) {
  const auto plan = plan_for(test::dissected_grid(10, 10), Method::tree).plan;
  EXPECT_GT(plan.bytes(),
            static_cast<Offset>(sizeof(Index)) *
                (plan.n + static_cast<Offset>(plan.fetch.size() + plan.local.size())));
}

}  // namespace
}  // namespace echelon
