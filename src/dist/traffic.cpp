// dist/traffic.cpp -- counts the messages of a pass between this rank and each other rank.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/dist.hpp"

namespace echelon {
namespace {

void add(Traffic& t, Index rank, Index width) {
  ++t.messages[rank];
  t.numbers[rank] += width;
}

}  // namespace

PassTraffic count_traffic(const LocalPlan& plan, Sweep sweep) {
  const Traffic none{Buffer<Index>(plan.ranks, 0), Buffer<Offset>(plan.ranks, 0)};
  PassTraffic traffic{none, none};
  const RankTrees& answers = sweep == Sweep::forward ? plan.column : plan.across;
  const RankTrees& sums = sweep == Sweep::forward ? plan.across : plan.column;
  for (Index c = 0; c < plan.nodes(); ++c) {
    const Index w = plan.width(c);
    if (answers.parent[c] >= 0) add(traffic.received, answers.parent[c], w);
    for (const Index rank : answers.children(c)) add(traffic.sent, rank, w);
    if (sums.parent[c] >= 0) add(traffic.sent, sums.parent[c], w);
    for (const Index rank : sums.children(c)) add(traffic.received, rank, w);
  }
  return traffic;
}

}  // namespace echelon
