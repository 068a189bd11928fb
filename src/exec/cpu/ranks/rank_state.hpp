// exec/cpu/ranks/rank_state.hpp -- the buffers and counters of a rank, kept from pass to pass, and
// the number of terms of each sum.
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
  Index rhs_per_pass;
  Buffer<T> right, answer, sum;      // by place
  Buffer<T> product;                 // forwards: by row of `plan.row`; backwards: by place
  Buffer<T> received;                // sums of children
  Buffer<Offset> received_start[2];  // by node, per direction
  Buffer<Index> missing[2];          // by node: terms of its sum
  Index finishes[2], products;

  Buffer<Index> needs;      // by node: terms of its sum still missing
  Buffer<Index> next;       // backwards: unused strips of the column
  Buffer<Index> blocks;     // backwards: leading blocks of the column that wait for answers
  Buffer<char> known;       // backwards: the answer is here
  Buffer<char> queued;      // its product is in the heap
  std::vector<Index> heap;  // tasks, lowest first
  PassTimes times;
  Timeline* trace = nullptr;

  State(const LocalPlan& p, const LocalValues<T>& v, Index t)
      : plan(p), values(v), rhs_per_pass(t) {
    const auto nodes = static_cast<std::size_t>(plan.nodes());
    const auto numbers = static_cast<std::size_t>(plan.size()) * rhs_per_pass;
    right.assign(numbers, T(0));
    answer.assign(numbers, T(0));
    sum.assign(numbers, T(0));
    product.assign(std::max(plan.row.size() * rhs_per_pass, numbers), T(0));
    needs.resize(nodes);
    next.resize(nodes);
    blocks.resize(nodes);
    known.resize(nodes);
    queued.resize(nodes);
    heap.reserve(2 * nodes);
    products = 0;
    for (Index c = 0; c < plan.nodes(); ++c) products += plan.height(c) > 0;
    std::size_t most = 0;
    for (const Sweep sweep : {Sweep::forward, Sweep::backward})
      most = std::max(most, count_up(sweep));
    received.assign(most * rhs_per_pass, T(0));
  }

  const RankTrees& answers(Sweep sweep) const {
    return sweep == Sweep::forward ? plan.column : plan.across;
  }
  const RankTrees& sums(Sweep sweep) const {
    return sweep == Sweep::forward ? plan.across : plan.column;
  }

  // Counts the terms of each sum of a pass.  Returns how many numbers the children send.
  std::size_t count_up(Sweep sweep) {
    const int w = static_cast<int>(sweep);
    const RankTrees& tree = sums(sweep);
    finishes[w] = 0;
    received_start[w].assign(1, 0);
    for (Index c = 0; c < plan.nodes(); ++c) {
      const auto children = static_cast<Index>(tree.children(c).size());
      const Index here = sweep == Sweep::forward ? plan.in_row_start[c + 1] - plan.in_row_start[c]
                                                 : static_cast<Index>(plan.height(c) > 0);
      missing[w].push_back(here + children);
      received_start[w].push_back(received_start[w].back() + Offset{children} * plan.width(c));
      finishes[w] += plan.diagonal[c] >= 0 || tree.parent[c] >= 0;
    }
    return static_cast<std::size_t>(received_start[w].back());
  }
};

}  // namespace echelon
