// tests/exec/cuda/batch/test_batch_steps.cpp -- which rows a thread block solves together, checked
// without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "exec/cuda/batch/batch_steps.hpp"

namespace echelon {
namespace {

// Rows by level: five without entries, then two that share an entry, then one with three.
BatchPlan small_plan() {
  BatchPlan plan;
  plan.n = 8;
  plan.unit = true;
  for (const Index i : {0, 1, 2, 3, 4, 5, 6, 7}) plan.row.push_back(i);
  for (const Index k : {0, 5, 7, 8}) plan.level.push_back(k);
  for (const Index p : {0, 0, 0, 0, 0, 0, 2, 4, 7}) plan.start.push_back(p);
  for (const Index j : {0, 1, 1, 2, 3, 5, 6}) plan.index.push_back(j);
  return plan;
}

TEST(BatchSteps, RowsOfALevelAreSolvedTogether) {
  const auto steps = find_batch_steps(small_plan(), {8, 4, 16});
  ASSERT_EQ(steps.size(), 3);
  EXPECT_EQ(steps[0].count, 5);
  EXPECT_EQ(steps[0].team_bits, 0);  // eight slots for five rows
  EXPECT_EQ(steps[1].first, 5);
  EXPECT_EQ(steps[1].count, 2);
  EXPECT_EQ(steps[1].team_bits, 2);  // four slots each: a warp
  EXPECT_EQ(steps[2].count, 1);
  EXPECT_EQ(steps[2].team_bits, 3);  // all eight
}

TEST(BatchSteps, AStepHasNoMoreEntriesThanFit) {
  const auto steps = find_batch_steps(small_plan(), {8, 4, 3});
  ASSERT_EQ(steps.size(), 4);
  EXPECT_EQ(steps[1].count, 1);
  EXPECT_EQ(steps[2].count, 1);
  EXPECT_EQ(steps[3].count, 1);  // alone it may have more
}

TEST(BatchSteps, TurnedRowsOfAStepHaveNoEntryInCommon) {
  const auto plan = small_plan();
  const auto steps = find_turned_steps(plan, {8, 4, 16});
  Index end = plan.n;
  for (const BatchStep& step : steps) {
    EXPECT_EQ(step.first + step.count, end);  // from the last row to the first
    end = step.first;
    std::multiset<Index> met;
    for (Index k = step.first; k < step.first + step.count; ++k)
      met.insert(plan.index.begin() + plan.start[k], plan.index.begin() + plan.start[k + 1]);
    for (const Index j : met) EXPECT_EQ(met.count(j), 1);
  }
  EXPECT_EQ(end, 0);
  ASSERT_EQ(steps.size(), 4);  // rows 5 and 6 share entry 1
  EXPECT_EQ(steps[3].count, 5);
}

TEST(BatchSteps, SystemsSideBySideLeaveRoomForOtherBlocks) {
  const Offset shared = Offset{227} * 1024;
  EXPECT_EQ(choose_batch_width(576, 8, shared), 8);
  EXPECT_EQ(choose_batch_width(1000, 8, shared), 4);
  EXPECT_EQ(choose_batch_width(20000, 8, shared), 1);
}

}  // namespace
}  // namespace echelon
