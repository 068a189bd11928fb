// model/forecast_ranks.cpp -- the critical-path model of one-sided solves on many ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Ding, Williams, Liu, Li, SIAM PP 2020, Algorithm 1.  Two details follow the paper's
// text, not its listing: one message costs one latency, not log2(1) = 0 (as in the authors' paper
// of 2021), and a diagonal block that sends no message pays no latency.
#include <algorithm>

#include "model/block_levels.hpp"

namespace echelon {

Forecast forecast_ranks(const RankProblem& p, const Machine& machine) {
  const Supernodes& s = *p.supernodes;
  const Index ranks = p.map->grid.size();
  const CriticalPath path = find_critical_path(p);
  const BlockList blocks = find_blocks(s);
  const Talks talks = find_talks(blocks, *p.map, p.sweep, machine.node_ranks);
  const auto value = static_cast<double>(p.value_bytes);
  const auto bytes_of = [&](const BlockAt& at, Index rows) {
    const double w = s.width(at.col);
    return value * (at.row == at.col ? w * (w + 1) / 2 : w * rows);
  };

  // The bytes that each rank reads, which determine its read speed.
  std::vector<double> bytes(static_cast<std::size_t>(ranks), 0);
  for (Index t = 0; t < s.count(); ++t) {
    bytes[p.map->root(t)] += bytes_of({t, t}, 0);
    for (const BlockList::Block& b : blocks.column(t))
      bytes[p.map->owner(b.row, t)] += bytes_of({b.row, t}, b.rows());
  }
  const auto speed = [&](Index rank) {
    return machine.read_speed(p.resident * bytes[rank], std::min(ranks, machine.node_ranks));
  };

  Forecast f;
  f.messages = path.messages;
  for (Index r = 0; r < ranks; ++r) {
    const double time = bytes[r] / speed(r);
    if (time > f.compute_least_s) {
      f.compute_least_s = time;
      f.slowest = r;
    }
  }
  const auto rows_of = [&](const BlockAt& at) {
    if (at.row == at.col) return Index{0};
    const auto column = blocks.column(at.col);
    return std::lower_bound(column.begin(), column.end(), at.row,
                            [](const BlockList::Block& b, Index row) { return b.row < row; })
        ->rows();
  };
  for (Index l = 0; l < path.levels(); ++l) {
    double compute = 0, communicate = 0;
    for (std::size_t k = path.level_start[l]; k < path.level_start[l + 1]; ++k) {
      const BlockAt at = path.block[k];
      compute += bytes_of(at, rows_of(at)) / speed(path.rank[l]);
      if (at.row != at.col) continue;
      const double message = value * s.width(at.col) * p.vectors;
      const Talks::Talk &in = talks.sum[at.col], &out = talks.answer[at.col];
      if (in.others() > 0) {
        const MessageCost& cost = machine.message(p.engine_of(true), !in.leaves_node);
        communicate += messages_in_turn(in.others(), p.tree) * cost.time(message);
      }
      if (out.others() > 0) {
        const MessageCost& cost = machine.message(p.engine_of(false), !out.leaves_node);
        communicate +=
            cost.latency_s() + messages_in_turn(out.others(), p.tree) * cost.transfer_s(message);
      }
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
