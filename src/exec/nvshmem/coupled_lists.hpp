// exec/nvshmem/coupled_lists.hpp -- what one PE of the coupled design waits for, does in which
// order, and tells whom, for one way of a pass.  No CUDA and no NVSHMEM in here.
// SPDX-License-Identifier: BSD-3-Clause
//
// Places.  Memory that others write to has two copies, used in turn.  A copy holds, one after the
// other: x, the answers, and sums, both by place of the plan's vector, then what children tell.
// Places count numbers of one right-hand side; those of all of them lie side by side, so place p of
// a pass with `count` right-hand sides begins at number p * count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "echelon/dist.hpp"

namespace echelon {

// Where a message goes: a place of the receiver's copy, and its word among the receiver's signals.
struct CoupledTarget {
  Offset place = 0;
  Index pe = -1;  // -1: nowhere
  Index signal = 0;
};
// One that is expected; its number is that of its signal.
struct CoupledMessage {
  Index node = 0;
  Index from = 0;
  Offset received = -1;  // the place of a child's sum; -1: answers, which come to x
};

struct CoupledLists {
  Buffer<Index> task;              // nodes a thread block works on, in order of the sweep
  Buffer<Index> missing;           // size nodes: what its sum waits for at the start: fmod
  Buffer<Offset> received_start;   // size nodes+1: places of what children tell
  Buffer<CoupledMessage> message;  // expected
  Buffer<CoupledTarget> child;     // who is told answers, as the tree's children
  Buffer<CoupledTarget> parent;    // size nodes: who is told sums

  Offset numbers() const { return received_start.back(); }  // of a copy
};

inline const RankTrees& answer_trees(const LocalPlan& plan, Sweep sweep) {
  return sweep == Sweep::forward ? plan.column : plan.across;
}
inline const RankTrees& sum_trees(const LocalPlan& plan, Sweep sweep) {
  return sweep == Sweep::forward ? plan.across : plan.column;
}

// Without the targets' places, which the receivers know.
inline CoupledLists list_coupled(const LocalPlan& plan, Sweep sweep) {
  const RankTrees& answers = answer_trees(plan, sweep);
  const RankTrees& sums = sum_trees(plan, sweep);
  const bool forwards = sweep == Sweep::forward;
  CoupledLists lists;
  lists.received_start.assign(1, Offset{2} * plan.size());
  for (const Index pe : answers.child) lists.child.push_back({0, pe, 0});
  for (Index c = 0; c < plan.nodes(); ++c) {
    const auto children = sums.children(c);
    const Index products = forwards ? plan.in_row_start[c + 1] - plan.in_row_start[c] : 0;
    lists.missing.push_back(products + static_cast<Index>(children.size()));
    lists.parent.push_back({0, sums.parent[c], 0});
    if (answers.parent[c] >= 0) lists.message.push_back({c, answers.parent[c], -1});
    Offset received = lists.received_start.back();
    for (const Index pe : children) {
      lists.message.push_back({c, pe, received});
      received += plan.width(c);
    }
    lists.received_start.push_back(received);
    // Forwards a column that is here; backwards that too, or answers that go on along a row.
    const bool column = plan.diagonal[c] >= 0 || plan.height(c) > 0;
    if (column || (!forwards && !answers.children(c).empty())) lists.task.push_back(c);
  }
  if (!forwards) std::reverse(lists.task.begin(), lists.task.end());
  return lists;
}

// What a receiver says to those who send to it: place and signal of each message, in order of
// supernodes.  Between two PEs there is at most one message about a supernode, since only its root
// is in both trees; so both sides count the same.
struct CoupledPlace {
  std::int64_t place, signal;
};
using CoupledPlaces = std::vector<std::vector<CoupledPlace>>;  // by PE

inline CoupledPlaces targets_for_senders(const LocalPlan& plan, const CoupledLists& lists) {
  CoupledPlaces messages(static_cast<std::size_t>(plan.ranks));
  for (std::size_t m = 0; m < lists.message.size(); ++m) {
    const CoupledMessage& a = lists.message[m];
    const Offset place = a.received >= 0 ? a.received : Offset{plan.start[a.node]};
    messages[a.from].push_back({place, static_cast<std::int64_t>(m)});
  }
  return messages;
}

// So many messages come from each PE.
inline std::vector<int> count_targets(const LocalPlan& plan, const CoupledLists& lists) {
  std::vector<int> count(static_cast<std::size_t>(plan.ranks), 0);
  for (const CoupledTarget& t : lists.child) ++count[t.pe];
  for (const CoupledTarget& t : lists.parent)
    if (t.pe >= 0) ++count[t.pe];
  return count;
}

inline void receive_targets(const LocalPlan& plan, Sweep sweep, const CoupledPlaces& messages,
                            CoupledLists& lists) {
  const RankTrees& answers = answer_trees(plan, sweep);
  std::vector<std::size_t> next(static_cast<std::size_t>(plan.ranks), 0);
  const auto take = [&](CoupledTarget& t) {
    const CoupledPlace& message = messages[t.pe][next[t.pe]++];
    t.place = message.place;
    t.signal = static_cast<Index>(message.signal);
  };
  for (Index c = 0; c < plan.nodes(); ++c) {
    for (Index k = answers.child_start[c]; k < answers.child_start[c + 1]; ++k)
      take(lists.child[k]);
    if (lists.parent[c].pe >= 0) take(lists.parent[c]);
  }
}

}  // namespace echelon
