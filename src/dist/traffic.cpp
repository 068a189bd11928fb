// dist/traffic.cpp -- counts the messages of a pass: per pair of ranks, and on the longest path.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method of the longest path.  Visits the supernodes in the order of the sweep.  A rank's sum
// follows the solutions that its products read, and one message from each child in its reduction
// tree.  The solution of a supernode follows the root's sum, and reaches each rank after one
// message per step down its broadcast tree.
#include <algorithm>
#include <vector>

#include "echelon/dist.hpp"

namespace echelon {
namespace {

void add(Traffic& t, Index rank, Index width) {
  ++t.messages[rank];
  t.numbers[rank] += width;
}

class Hops {
 public:
  Hops(std::span<const LocalPlan> all, Sweep sweep)
      : all_(all), forwards_(sweep == Sweep::forward) {
    for (const LocalPlan& plan : all) {
      sum_.emplace_back(static_cast<std::size_t>(plan.nodes()), 0);
      answer_.emplace_back(static_cast<std::size_t>(plan.nodes()), 0);
    }
  }

  Index most() {
    const auto count = all_.empty() ? 0 : static_cast<Index>(all_[0].root.size());
    for (Index k = 0; k < count; ++k) {
      const Index t = forwards_ ? k : count - 1 - k;
      if (!forwards_)
        for (std::size_t r = 0; r < all_.size(); ++r) pull(r, t);
      const Index root = all_[0].root[t];
      spread(root, t, gather(root, t));
    }
    return most_;
  }

 private:
  const RankTrees& sums(Index rank) const {
    return forwards_ ? all_[rank].across : all_[rank].column;
  }
  const RankTrees& answers(Index rank) const {
    return forwards_ ? all_[rank].column : all_[rank].across;
  }
  Index node(Index rank, Index t) const { return all_[rank].local_of[t]; }

  // Messages before the sum of t is complete on a rank.
  Index gather(Index rank, Index t) {
    const Index c = node(rank, t);
    for (const Index child : sums(rank).children(c))
      sum_[rank][c] = std::max(sum_[rank][c], gather(child, t) + 1);
    return sum_[rank][c];
  }
  // The solution of t reaches a rank after this many messages.
  void spread(Index rank, Index t, Index messages) {
    const LocalPlan& plan = all_[rank];
    const Index c = node(rank, t);
    most_ = std::max(most_, messages);
    answer_[rank][c] = messages;
    if (forwards_)
      for (Index b = plan.block_start[c]; b < plan.block_start[c + 1]; ++b) {
        Index& sum = sum_[rank][plan.block[b].row];
        sum = std::max(sum, messages);
      }
    for (const Index child : answers(rank).children(c)) spread(child, t, messages + 1);
  }
  // Backwards, the sum of a column waits for the solutions of its rows.
  void pull(std::size_t rank, Index t) {
    const LocalPlan& plan = all_[rank];
    const Index c = plan.local_of[t];
    if (c < 0) return;
    for (Index b = plan.block_start[c]; b < plan.block_start[c + 1]; ++b)
      sum_[rank][c] = std::max(sum_[rank][c], answer_[rank][plan.block[b].row]);
  }

  std::span<const LocalPlan> all_;
  bool forwards_;
  std::vector<std::vector<Index>> sum_, answer_;  // by rank and node
  Index most_ = 0;
};

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

Index count_hops(std::span<const LocalPlan> all, Sweep sweep) { return Hops(all, sweep).most(); }

}  // namespace echelon
