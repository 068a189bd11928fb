// exec/cpu/rank_state.hpp -- what a rank keeps from pass to pass, and what each sum waits for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "echelon/rank_pass.hpp"

namespace echelon {

template <Scalar T>
struct RankPass<T>::State {
  const LocalPlan& plan;
  const LocalValues<T>& values;
  Index together;
  Buffer<T> right, answer, sum;  // by place
  Buffer<T> product;             // forwards: by row of `plan.row`; backwards: by place
  Buffer<T> told;                // sums of children
  Buffer<Offset> told_start[2];  // by node, for each way
  Buffer<Index> missing[2];      // by node: what its sum waits for, at the start of a pass
  Index finishes[2], products;

  Buffer<Index> needs;      // what it waits for still
  Buffer<Index> next;       // backwards: strips of the column not yet used
  Buffer<Index> blocks;     // backwards: blocks of the column whose answers are not there in turn
  Buffer<char> known;       // backwards: the answer is here
  Buffer<char> queued;      // its product is among the tasks
  std::vector<Index> heap;  // tasks, lowest first
  PassTimes times;
  Timeline* trace = nullptr;

  State(const LocalPlan& p, const LocalValues<T>& v, Index t) : plan(p), values(v), together(t) {
    const auto nodes = static_cast<std::size_t>(plan.nodes());
    const auto numbers = static_cast<std::size_t>(plan.size()) * together;
    right.assign(numbers, T(0));
    answer.assign(numbers, T(0));
    sum.assign(numbers, T(0));
    product.assign(std::max(plan.row.size() * together, numbers), T(0));
    needs.resize(nodes);
    next.resize(nodes);
    blocks.resize(nodes);
    known.resize(nodes);
    queued.resize(nodes);
    heap.reserve(2 * nodes);
    products = 0;
    for (Index c = 0; c < plan.nodes(); ++c) products += plan.height(c) > 0;
    std::size_t most = 0;
    for (const Way way : {Way::forwards, Way::backwards}) most = std::max(most, count_up(way));
    told.assign(most * together, T(0));
  }

  const RankTrees& answers(Way way) const {
    return way == Way::forwards ? plan.column : plan.across;
  }
  const RankTrees& sums(Way way) const { return way == Way::forwards ? plan.across : plan.column; }

  // What each sum of a pass waits for.  Returns the numbers children tell.
  std::size_t count_up(Way way) {
    const int w = static_cast<int>(way);
    const RankTrees& tree = sums(way);
    finishes[w] = 0;
    told_start[w].assign(1, 0);
    for (Index c = 0; c < plan.nodes(); ++c) {
      const auto children = static_cast<Index>(tree.children(c).size());
      const Index here = way == Way::forwards ? plan.in_row_start[c + 1] - plan.in_row_start[c]
                                              : static_cast<Index>(plan.height(c) > 0);
      missing[w].push_back(here + children);
      told_start[w].push_back(told_start[w].back() + Offset{children} * plan.width(c));
      finishes[w] += plan.diagonal[c] >= 0 || tree.parent[c] >= 0;
    }
    return static_cast<std::size_t>(told_start[w].back());
  }
};

}  // namespace echelon
