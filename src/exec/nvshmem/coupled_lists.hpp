// exec/nvshmem/coupled_lists.hpp -- the tasks, incoming messages and outgoing targets of one PE of
// the coupled design, for one direction of a pass.  Independent of CUDA and NVSHMEM.
// SPDX-License-Identifier: BSD-3-Clause
//
// Places.  Memory that other PEs write has two copies, used alternately.  A copy holds x (the
// answers) and the sums, both by place of the plan's vector, then the sums received from children.
// Places count numbers of one right-hand side; the numbers of all right-hand sides are interleaved,
// so place p of a pass with `count` right-hand sides begins at number p * count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "echelon/dist.hpp"

namespace echelon {

// The destination of a message: a place in the receiver's copy, and the index of the receiver's
// signal word.
struct CoupledTarget {
  Offset place = 0;
  Index pe = -1;  // -1: none
  Index signal = 0;
};
// An expected message; its index is the index of its signal.
struct CoupledMessage {
  Index node = 0;
  Index from = 0;
  Offset received = -1;  // place of a child's sum; -1: answers, stored in x
};

struct CoupledLists {
  Buffer<Index> task;              // nodes processed by thread blocks, in sweep order
  Buffer<Index> missing;           // size nodes: initial count of missing terms of the sum (fmod)
  Buffer<Offset> received_start;   // size nodes+1: places of the children's sums
  Buffer<CoupledMessage> message;  // expected
  Buffer<CoupledTarget> child;     // receivers of answers, by the tree's children
  Buffer<CoupledTarget> parent;    // size nodes: receivers of sums

  Offset numbers() const { return received_start.back(); }  // per copy
};

inline const RankTrees& answer_trees(const LocalPlan& plan, Way way) {
  return way == Way::forwards ? plan.column : plan.across;
}
inline const RankTrees& sum_trees(const LocalPlan& plan, Way way) {
  return way == Way::forwards ? plan.across : plan.column;
}

// Leaves out the places of the targets, which only the receivers can compute.
inline CoupledLists list_coupled(const LocalPlan& plan, Way way) {
  const RankTrees& answers = answer_trees(plan, way);
  const RankTrees& sums = sum_trees(plan, way);
  const bool forwards = way == Way::forwards;
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
    // Forwards: columns of this PE; backwards also answers that are forwarded along a row.
    const bool column = plan.diagonal[c] >= 0 || plan.height(c) > 0;
    if (column || (!forwards && !answers.children(c).empty())) lists.task.push_back(c);
  }
  if (!forwards) std::reverse(lists.task.begin(), lists.task.end());
  return lists;
}

// A receiver's data for one of its senders: place and signal of each message, in order of
// supernodes.  Between two PEs there is at most one message per supernode, since only its root is
// in both trees; so both sides agree on the order.
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

// The number of messages to each PE.
inline std::vector<int> count_targets(const LocalPlan& plan, const CoupledLists& lists) {
  std::vector<int> count(static_cast<std::size_t>(plan.ranks), 0);
  for (const CoupledTarget& t : lists.child) ++count[t.pe];
  for (const CoupledTarget& t : lists.parent)
    if (t.pe >= 0) ++count[t.pe];
  return count;
}

inline void receive_targets(const LocalPlan& plan, Way way, const CoupledPlaces& messages,
                            CoupledLists& lists) {
  const RankTrees& answers = answer_trees(plan, way);
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
