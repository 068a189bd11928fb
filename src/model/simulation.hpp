// model/simulation.hpp -- what simulated ranks share: the clock of events, messages on their way,
// and what each rank has to wait for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <queue>
#include <vector>

#include "echelon/forecast.hpp"

namespace echelon {

// Where the time of a chain of activities went, each the cause of the next.
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

// The network and the order of events.
class World {
 public:
  World(const RankProblem& p, const Machine& machine, const SimulationOptions& o);
  ~World();
  Simulation run();

  const RankProblem& problem;
  const Machine& machine;
  const SimulationOptions& options;
  std::vector<LocalPlan> plans;
  std::vector<Index> level;  // of supernodes; of GPUs alone
  Simulation result;

  bool forwards() const { return problem.way == Way::forwards; }
  const RankTrees& answers(Index rank) const {
    return forwards() ? plans[rank].column : plans[rank].across;
  }
  const RankTrees& sums(Index rank) const {
    return forwards() ? plans[rank].across : plans[rank].column;
  }
  const MessageCost& cost(Index from, Index to, bool sum) const;

  // An event of a rank at a time; `what` is its own affair.  Events of one time come by rank, then
  // in the order they were asked for.
  void at(double time_s, Index rank, Offset what);
  // A message handed over at `now_s`, for which the link must be free.
  void post(Index from, Index to, Index supernode, bool sum, double now_s, double& link_free_s,
            const Chain& chain);
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

// What a rank keeps, whatever works for it: what each sum still waits for, and what it reads.
class SimulatedRank {
 public:
  SimulatedRank(World& world, Index rank);
  virtual ~SimulatedRank() = default;

  virtual void start() = 0;
  virtual void arrive(const SimulatedMessage& message) = 0;  // it will, at its time
  virtual void event(double now_s, Offset what) = 0;

  RankTimes times() const { return times_; }
  Chain chain() const { return chain_; }
  bool ended() const { return left_ == 0; }

 protected:
  double diagonal_bytes(Index c) const;
  double row_bytes(Index c) const {  // of one row of the column
    return static_cast<double>(world_.problem.value_bytes) * plan_.width(c);
  }
  Index supernode(Index c) const { return plan_.node[c]; }

  World& world_;
  const LocalPlan& plan_;
  const RankTrees &answers_, &sums_;
  const bool forwards_;
  double speed_;              // bytes a second
  std::vector<Index> needs_;  // by node: what its sum waits for
  Index left_ = 0;            // sums and products to come
  double link_free_s_ = 0;
  RankTimes times_;
  Chain chain_;
};

std::unique_ptr<SimulatedRank> make_core_rank(World& world, Index rank);
std::unique_ptr<SimulatedRank> make_gpu_rank(World& world, Index rank);

}  // namespace echelon
