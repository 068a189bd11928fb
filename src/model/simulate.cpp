// model/simulate.cpp -- simulates a pass on all ranks, event by event.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Ranks use the plans of the real solvers.  Events run in the order of time, so when a
// rank polls, all messages sent before that time are known.  Each rank tracks the chain of causes
// of its current activity: the chain continues while the rank is busy, and becomes that of the
// message when the rank has waited for one.
#include <algorithm>
#include <stdexcept>

#include "model/block_levels.hpp"
#include "model/simulation.hpp"

namespace echelon {
namespace {

constexpr double row_lists = 20, node_lists = 200;  // bytes per row and per node

}  // namespace

World::World(const RankProblem& p, const Machine& m, const SimulationOptions& o)
    : problem(p), machine(m), options(o), plans(make_local_plans(*p.supernodes, *p.map, p.tree)) {
  if (m.kind == MachineKind::gpu) level = supernode_levels(find_blocks(*p.supernodes), p.sweep);
}
World::~World() = default;

Simulation World::run() {
  for (Index r = 0; r < static_cast<Index>(plans.size()); ++r)
    ranks_.push_back(machine.kind == MachineKind::gpu ? make_gpu_rank(*this, r)
                                                      : make_core_rank(*this, r));
  for (const auto& rank : ranks_) rank->start();
  while (!events_.empty()) {
    const Event e = events_.top();
    events_.pop();
    ranks_[e.rank]->event(e.time_s, e.what);
  }
  const SimulatedRank* last = nullptr;
  for (const auto& rank : ranks_) {
    if (!rank->ended()) throw std::logic_error("a simulated rank waits for ever");
    result.rank.push_back(rank->times());
    if (last == nullptr || rank->times().end_s > last->times().end_s) last = rank.get();
  }
  if (last != nullptr) {
    result.span_s = last->times().end_s;
    result.path_compute_s = last->chain().compute_s;
    result.path_message_s = last->chain().message_s;
    result.path_messages = last->chain().messages;
  }
  return std::move(result);
}

const MessageCost& World::cost(Index from, Index to, bool sum) const {
  return machine.message(problem.engine_of(sum),
                         from / machine.node_ranks == to / machine.node_ranks);
}

void World::at(double time_s, Index rank, Offset what) {
  events_.push({time_s, rank, order_++, what});
}

void World::post(const Envelope& p, double now_s, double& link_free_s, const Chain& chain) {
  const MessageCost& c = cost(p.from, p.to, p.sum);
  const Supernodes& s = *problem.supernodes;
  const double bytes =
      static_cast<double>(problem.value_bytes) * s.width(p.supernode) * problem.vectors;
  const double leaves = std::max(now_s, link_free_s);
  link_free_s = leaves + c.transfer_s(bytes);
  SimulatedMessage m{leaves + std::max(c.time(bytes) - c.send_s - c.receive_s, 0.0), p.from,
                     p.supernode, p.sum, chain};
  m.chain.message_s += m.arrival_s - now_s;
  ++m.chain.messages;
  ++result.messages;
  result.message_bytes += bytes;
  ranks_[p.to]->arrive(m);
}

void World::note(Index rank, Doing doing, Index supernode, double begin_s, double end_s) {
  if (options.timeline) result.timeline.push_back({rank, doing, supernode, begin_s, end_s});
}

SimulatedRank::SimulatedRank(World& world, Index rank)
    : world_(world),
      plan_(world.plans[rank]),
      answers_(world.answers(rank)),
      sums_(world.sums(rank)),
      forwards_(world.forwards()) {
  double bytes = 0;
  for (Index c = 0; c < plan_.nodes(); ++c) {
    bytes += plan_.height(c) * row_bytes(c);
    if (plan_.diagonal[c] >= 0) bytes += diagonal_bytes(c);
    const auto children = static_cast<Index>(sums_.children(c).size());
    const Index here = forwards_ ? plan_.in_row_start[c + 1] - plan_.in_row_start[c]
                                 : static_cast<Index>(plan_.height(c) > 0);
    needs_.push_back(here + children);
    left_ += (plan_.diagonal[c] >= 0 || sums_.parent[c] >= 0) + (plan_.height(c) > 0);
  }
  // Other memory that passes through the caches: per row its place and its product, per node its
  // lists and counters.
  bytes += row_lists * static_cast<double>(plan_.row.size()) + node_lists * plan_.nodes();
  const Machine& m = world.machine;
  const Index at_once = m.kind == MachineKind::gpu ? 1 : std::min(plan_.ranks, m.node_ranks);
  speed_ = m.read_speed(world.problem.resident * bytes, at_once);
}

double SimulatedRank::diagonal_bytes(Index c) const {
  const double w = plan_.width(c);
  return static_cast<double>(world_.problem.value_bytes) * w * (w + 1) / 2;
}

Simulation simulate(const RankProblem& p, const Machine& machine, const SimulationOptions& o) {
  if (p.map->grid.size() > 1) machine.message(p.engine, true);  // throws for unknown engines
  return World(p, machine, o).run();
}

}  // namespace echelon
