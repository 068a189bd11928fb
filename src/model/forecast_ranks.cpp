// model/forecast_ranks.cpp -- the critical-path model of one-sided solves on many ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Ding, Williams, Liu, Li, SIAM PP 2020, Algorithm 1.  Two details follow the paper's
// text, not its listing: one message costs one latency, not log2(1) = 0 (as in the authors' paper
// of 2021), and a diagonal block that sends no message pays no latency.
#include <algorithm>

#include "model/block_levels.hpp"

namespace echelon {

namespace {

// The blocks of a problem, the bytes that each rank reads, and its read speed.
class RankReads {
 public:
  RankReads(const RankProblem& p, const Machine& machine)
      : p_(p),
        machine_(machine),
        blocks_(find_blocks(*p.supernodes)),
        bytes_(static_cast<std::size_t>(p.map->grid.size()), 0) {
    for (Index t = 0; t < p.supernodes->count(); ++t) {
      bytes_[p.map->root(t)] += bytes_of({t, t}, 0);
      for (const BlockList::Block& b : blocks_.column(t))
        bytes_[p.map->owner(b.row, t)] += bytes_of({b.row, t}, b.rows());
    }
  }
  const BlockList& blocks() const { return blocks_; }

  double seconds(Index rank) const { return bytes_[rank] / speed(rank); }
  double seconds(Index rank, const BlockAt& at) const {
    return bytes_of(at, rows_of(at)) / speed(rank);
  }

 private:
  double bytes_of(const BlockAt& at, Index rows) const {
    const double w = p_.supernodes->width(at.col);
    return static_cast<double>(p_.value_bytes) * (at.row == at.col ? w * (w + 1) / 2 : w * rows);
  }
  Index rows_of(const BlockAt& at) const {
    if (at.row == at.col) return 0;
    const auto column = blocks_.column(at.col);
    return std::lower_bound(column.begin(), column.end(), at.row,
                            [](const BlockList::Block& b, Index row) { return b.row < row; })
        ->rows();
  }
  double speed(Index rank) const {
    const auto ranks = static_cast<Index>(bytes_.size());
    return machine_.read_speed(p_.resident * bytes_[rank], std::min(ranks, machine_.node_ranks));
  }

  const RankProblem& p_;
  const Machine& machine_;
  BlockList blocks_;
  std::vector<double> bytes_;
};

// The messages around one diagonal block: sums before it, answers after it.
double message_seconds(const RankProblem& p, const Machine& machine, const Talks& talks, Index t) {
  const double bytes = static_cast<double>(p.value_bytes) * p.supernodes->width(t) * p.vectors;
  const Talks::Talk &in = talks.sum[t], &out = talks.answer[t];
  double seconds = 0;
  if (in.others() > 0) {
    const MessageCost& cost = machine.message(p.engine_of(true), !in.leaves_node);
    seconds += messages_in_turn(in.others(), p.tree) * cost.time(bytes);
  }
  if (out.others() > 0) {
    const MessageCost& cost = machine.message(p.engine_of(false), !out.leaves_node);
    seconds += cost.latency_s() + messages_in_turn(out.others(), p.tree) * cost.transfer_s(bytes);
  }
  return seconds;
}

}  // namespace

Forecast forecast_ranks(const RankProblem& p, const Machine& machine) {
  const CriticalPath path = find_critical_path(p);
  const RankReads reads(p, machine);
  const Talks talks = find_talks(reads.blocks(), *p.map, p.sweep, machine.node_ranks);
  Forecast f;
  f.messages = path.messages;
  for (Index r = 0; r < p.map->grid.size(); ++r)
    if (const double time = reads.seconds(r); time > f.compute_least_s) {
      f.compute_least_s = time;
      f.slowest = r;
    }
  for (Index l = 0; l < path.levels(); ++l) {
    double compute = 0, communicate = 0;
    for (std::size_t k = path.level_start[l]; k < path.level_start[l + 1]; ++k) {
      const BlockAt at = path.block[k];
      compute += reads.seconds(path.rank[l], at);
      if (at.row == at.col) communicate += message_seconds(p, machine, talks, at.col);
    }
    f.level_compute_s.push_back(compute);
    f.level_communicate_s.push_back(communicate);
    f.compute_most_s += compute;
    f.communicate_s += communicate;
  }
  f.total_s = f.compute_most_s + f.communicate_s;
  return f;
}

}  // namespace echelon
