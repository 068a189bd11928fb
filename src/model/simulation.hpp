// model/simulation.hpp -- the common part of simulated ranks: the event queue, messages in flight,
// and the missing terms of each sum.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <queue>
#include <vector>

#include "echelon/tools/forecast.hpp"

namespace echelon {

// The time of a chain of activities, each the cause of the next, by kind.
struct Chain {
  double compute_s = 0, message_s = 0;
  Index messages = 0;
};

struct SimulatedMessage {
  double arrival_s = 0;
  Index from = 0;
  Index supernode = 0;
  bool sum = false;
  Chain chain;  // up to its arrival
};

class SimulatedRank;

// The network and the event queue.
class World {
 public:
  World(const RankProblem& p, const Machine& machine, const SimulationOptions& o);
  ~World();
  Simulation run();

  const RankProblem& problem;
  const Machine& machine;
  const SimulationOptions& options;
  std::vector<LocalPlan> plans;
  std::vector<Index> level;  // by supernode; for GPUs only
  Simulation result;

  bool forwards() const { return problem.sweep == Sweep::forward; }
  const RankTrees& answers(Index rank) const {
    return forwards() ? plans[rank].column : plans[rank].across;
  }
  const RankTrees& sums(Index rank) const {
    return forwards() ? plans[rank].across : plans[rank].column;
  }
  const MessageCost& cost(Index from, Index to, bool sum) const;

  // Schedules an event of a rank; only the rank interprets `what`.  Events at the same time are
  // ordered by rank, then by their order of scheduling.
  void at(double time_s, Index rank, Offset what);
  struct Envelope {
    Index from, to, supernode;
    bool sum;  // a sum, or an answer
  };
  // Sends a message at `now_s`, or when the link is free.
  void post(const Envelope& p, double now_s, double& link_free_s, const Chain& chain);
  void note(Index rank, Doing doing, Index supernode, double begin_s, double end_s);

 private:
  struct Event {
    double time_s;
    Index rank;
    Offset order, what;
    bool operator>(const Event& e) const {
      if (time_s != e.time_s) return time_s > e.time_s;
      return rank != e.rank ? rank > e.rank : order > e.order;
    }
  };
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Offset order_ = 0;
  std::vector<std::unique_ptr<SimulatedRank>> ranks_;
};

// The state of any simulated rank: missing terms of each sum, and its read speed.
class SimulatedRank {
 public:
  SimulatedRank(World& world, Index rank);
  virtual ~SimulatedRank() = default;

  virtual void start() = 0;
  virtual void arrive(const SimulatedMessage& message) = 0;  // called when it is sent
  virtual void event(double now_s, Offset what) = 0;

  RankTimes times() const { return times_; }
  Chain chain() const { return chain_; }
  bool ended() const { return left_ == 0; }

 protected:
  double diagonal_bytes(Index c) const;
  double row_bytes(Index c) const {  // per row of the column
    return static_cast<double>(world_.problem.value_bytes) * plan_.width(c);
  }
  Index supernode(Index c) const { return plan_.node[c]; }

  World& world_;
  const LocalPlan& plan_;
  const RankTrees &answers_, &sums_;
  const bool forwards_;
  double speed_;              // bytes per second
  std::vector<Index> needs_;  // by node: missing terms of its sum
  Index left_ = 0;            // unfinished sums and products
  double link_free_s_ = 0;
  RankTimes times_;
  Chain chain_;
};

std::unique_ptr<SimulatedRank> make_core_rank(World& world, Index rank);
std::unique_ptr<SimulatedRank> make_gpu_rank(World& world, Index rank);

}  // namespace echelon
