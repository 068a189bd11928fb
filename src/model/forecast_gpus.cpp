// model/forecast_gpus.cpp -- the critical-path model for GPUs that exchange one-sided messages.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A node is one GPU's part of a supernode's column, read by one thread block; the nodes of
// a level run in parallel.  A full set of thread blocks reads at the GPU's speed, the remaining
// nodes at the speed of their thread blocks.  The messages of a level are sequential on a GPU; the
// slowest GPU determines the time.
//
// The paper's listing and text disagree: for the second run the listing turns the adjustment of the
// block speed on, the text turns it off.  Only turning it off can correct a speed-up that is too
// high, so this code turns it off.
//
// Reference.  Ding, Liu, Williams, Li, SIAM ACDA 2021, Algorithm 2.
#include <algorithm>
#include <cmath>

#include "model/block_levels.hpp"

namespace echelon {
namespace {

class Model {
 public:
  Model(const RankProblem& p, const Machine& machine)
      : p_(p),
        machine_(machine),
        s_(*p.supernodes),
        blocks_(find_blocks(s_)),
        talks_(find_talks(blocks_, *p.map, p.sweep, machine.node_ranks)),
        level_(supernode_levels(blocks_, p.sweep)),
        gpus_(p.map->grid.size()) {
    for (const Index l : level_) levels_ = std::max(levels_, l + 1);
    nodes_.resize(static_cast<std::size_t>(levels_) * gpus_);
    communicate_.assign(nodes_.size(), 0);
    messages_.assign(static_cast<std::size_t>(gpus_), 0);
    total_.assign(static_cast<std::size_t>(gpus_), 0);
    for (Index t = 0; t < s_.count(); ++t) {
      list_nodes(t);
      count_messages(t);
    }
  }

  Forecast run(bool adjust) {
    std::vector<double> compute(nodes_.size(), 0), time(static_cast<std::size_t>(gpus_), 0);
    for (Index l = 0; l < levels_; ++l)
      for (Index g = 0; g < gpus_; ++g) {
        compute[place(l, g)] = level_time(nodes_[place(l, g)], g, adjust);
        time[g] += compute[place(l, g)] + communicate_[place(l, g)];
      }
    Forecast f;
    const auto slowest = std::max_element(time.begin(), time.end());
    f.slowest = static_cast<Index>(slowest - time.begin());
    f.total_s = machine_.wake_s + *slowest;
    f.messages = messages_[f.slowest];
    for (Index l = 0; l < levels_; ++l) {
      f.level_compute_s.push_back(compute[place(l, f.slowest)]);
      f.level_communicate_s.push_back(communicate_[place(l, f.slowest)]);
      f.compute_most_s += f.level_compute_s.back();
      f.communicate_s += f.level_communicate_s.back();
    }
    for (Index g = 0; g < gpus_; ++g)
      f.compute_least_s = std::max(f.compute_least_s, total_[g] / speed(g));
    return f;
  }

 private:
  std::size_t place(Index l, Index g) const { return static_cast<std::size_t>(l) * gpus_ + g; }
  double speed(Index g) const { return machine_.read_speed(p_.resident * total_[g], 1); }
  double block_speed(double nodes, Index g) const {
    return std::clamp(speed(g) / std::max(nodes, 1.0), machine_.block_least, machine_.block_most);
  }

  // Adds each GPU's part of the column of t.
  void list_nodes(Index t) {
    const double w = s_.width(t), value = static_cast<double>(p_.value_bytes);
    const auto add = [&](Index g, double entries) {
      auto& nodes = nodes_[place(level_[t], g)];
      if (nodes.empty() || nodes.back().column != t) nodes.push_back({t, 0});
      nodes.back().bytes += value * entries;
      total_[g] += value * entries;
    };
    add(p_.map->root(t), w * (w + 1) / 2);
    for (const BlockList::Block& b : blocks_.column(t)) add(p_.map->owner(b.row, t), w * b.rows());
  }

  void count_messages(Index t) {
    const double bytes = static_cast<double>(p_.value_bytes) * s_.width(t) * p_.vectors;
    const Index root = p_.map->root(t);
    const auto add = [&](Index g, double messages, const MessageCost& cost) {
      communicate_[place(level_[t], g)] += cost.latency_s() + messages * cost.transfer_s(bytes);
      messages_[g] += std::llround(messages);
    };
    const Talks::Talk &out = talks_.answer[t], &in = talks_.sum[t];
    if (out.others() > 0)
      add(root, messages_in_turn(out.others(), p_.tree),
          machine_.message(p_.engine_of(false), !out.leaves_node));
    if (in.others() == 0) return;
    const MessageCost& cost = machine_.message(p_.engine_of(true), !in.leaves_node);
    add(root, messages_in_turn(in.others(), p_.tree), cost);
    for (const Index g : in.ranks) add(g, 1, cost);
  }

  struct Node {
    Index column;
    double bytes;
  };
  double level_time(const std::vector<Node>& nodes, Index g, bool adjust) const {
    double time = 0, bytes = 0;
    Index active = 0;
    for (const Node& node : nodes) {
      ++active;
      bytes += node.bytes;
      if (active < machine_.blocks) continue;
      time += bytes / speed(g);
      bytes = active = 0;
    }
    if (active == 0) return time;
    const double shared = static_cast<double>(s_.count()) / gpus_;
    return time + bytes / (active * block_speed(adjust ? active : shared, g));
  }

  const RankProblem& p_;
  const Machine& machine_;
  const Supernodes& s_;
  const BlockList blocks_;
  const Talks talks_;
  const std::vector<Index> level_;
  const Index gpus_;
  Index levels_ = 0;
  std::vector<std::vector<Node>> nodes_;  // by level and GPU
  std::vector<double> communicate_;       // by level and GPU
  std::vector<Offset> messages_;          // by GPU
  std::vector<double> total_;             // by GPU, in bytes
};

}  // namespace

Forecast forecast_gpus(const RankProblem& p, const Machine& machine, double one_gpu_s) {
  Model model(p, machine);
  const Forecast first = model.run(true);
  const bool too_good = one_gpu_s > 0 && one_gpu_s > p.map->grid.size() * first.total_s;
  return too_good ? model.run(false) : first;
}

}  // namespace echelon
