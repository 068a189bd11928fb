// echelon/forecast.hpp -- how long ranks or GPUs should take for a triangle, from its pattern and a
// machine alone: the models of the papers, and a simulation of the protocol itself.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after dist.hpp and machine.hpp.
//
// Blocks are the nodes of the graph: a block below the diagonal waits for the diagonal block of
// its column, that for all blocks of its row (backwards: the other way round).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "echelon/dist.hpp"
#include "echelon/machine.hpp"
#include "echelon/timeline.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// What is asked: a triangle, who has which block, and what talks how.
struct RankProblem {
  const Supernodes* supernodes = nullptr;
  const BlockMap* map = nullptr;
  TreeShape tree = TreeShape::binary;
  Way way = Way::forwards;
  std::size_t value_bytes = 8;
  Index vectors = 1;
  double resident = 1;  // bytes read before these come again, over those of this pass: 2 where two
                        // triangles take turns
  std::string engine = "payload";
  std::string sum_engine = {};  // that sums take; empty: the same

  const std::string& engine_of(bool sum) const {
    return sum && !sum_engine.empty() ? sum_engine : engine;
  }
};

struct BlockAt {
  Index row = 0, col = 0;  // supernodes
  friend bool operator==(const BlockAt&, const BlockAt&) = default;
};

// Ding et al. 2020: a block of each level, and in its place all blocks of that level which one rank
// has to do one after the other, where another rank has more of them.
struct CriticalPath {
  std::vector<BlockAt> initial;          // one a level
  std::vector<BlockAt> block;            // refined, level after level
  std::vector<std::size_t> level_start;  // size levels+1
  std::vector<Index> rank;               // size levels: whose they are
  Index diagonals = 0;                   // among `block`
  Offset messages = 0;                   // into and out of those

  Index levels() const { return static_cast<Index>(initial.size()); }
};
CriticalPath find_critical_path(const RankProblem& p);

// What a model says of one pass.
struct Forecast {
  double compute_least_s = 0;  // the rank with most to read, if it never waited
  double compute_most_s = 0;   // the blocks on the path
  double communicate_s = 0;    // messages on the path
  double total_s = 0;          // what the paper adds up: compute_most_s and communicate_s
  Offset messages = 0;         // on the path
  Index slowest = 0;           // GPUs: whose path it is
  std::vector<double> level_compute_s, level_communicate_s;
};

// Ding et al. 2020, Algorithm 1.
Forecast forecast_ranks(const RankProblem& p, const Machine& machine);
// Ding et al. 2021, Algorithm 2.  `one_gpu_s`: the same forecast for one GPU, 0 for none; if P GPUs
// are more than P times as fast, the bandwidth of a thread block is not adjusted to each level.
Forecast forecast_gpus(const RankProblem& p, const Machine& machine, double one_gpu_s = 0);

// Of a GPU: of its thread blocks, on average.
struct RankTimes {
  double compute_s = 0, send_s = 0, receive_s = 0, end_s = 0;  // the rest up to `end_s` is waiting
};

struct Simulation {
  double span_s = 0;  // until the last rank has ended
  Offset messages = 0;
  double message_bytes = 0;
  std::vector<RankTimes> rank;
  // Along the chain of what waited for what, from the last answer back: where the time went.
  double path_compute_s = 0, path_message_s = 0;
  Index path_messages = 0;
  Timeline timeline;  // if asked for
};

struct SimulationOptions {
  bool timeline = false;
  Offset piece_bytes = 0;  // of a GPU: a product is cut into pieces for thread blocks; 0: it is not
};

// A pass of all ranks, event by event, with the plans, trees and order of tasks of the real one.
// The same result on every run.  Its cost grows with blocks and messages, not with time.
Simulation simulate(const RankProblem& p, const Machine& machine, const SimulationOptions& o = {});

// The passes of a solve: with L forwards, then with U backwards.
struct SolveProblem {
  const Supernodes* lower = nullptr;  // null: without this pass
  const Supernodes* upper = nullptr;  // of the transpose of U; where that is L, the same as `lower`
  Mapping mapping = Mapping::subtree;
  TreeShape tree = TreeShape::binary;
  std::size_t value_bytes = 8;
  Index vectors = 1;
  std::string engine = "payload";
  std::string sum_engine = {};
};

// What is to be expected of one grid and engine.
struct Trial {
  ProcessGrid grid;
  std::string engine;
  std::vector<Forecast> model;         // by pass
  std::vector<Simulation> simulation;  // by pass, where it was asked for

  double model_s() const;
  double simulated_s() const;
  double seconds() const { return simulation.empty() ? model_s() : simulated_s(); }
};
// `one_s`: what the model says of one GPU, 0 for none.
Trial try_grid(const SolveProblem& p, const ProcessGrid& grid, const Machine& machine,
               bool simulated, double one_s = 0, const SimulationOptions& o = {});

// What a solve waits for.
enum class Limit {
  messages,  // most of the path's time are messages
  reading,   // the rank with most to read and do hardly waits
  path,      // blocks that wait for each other
};
const char* name(Limit limit) noexcept;
Limit find_limit(const Trial& trial);

// Where the model and the simulation of a trial differ by more than a quarter, and why; empty where
// they agree, or there is no simulation.
std::string explain_difference(const Trial& trial, MachineKind kind);

struct RankAdvice {
  std::size_t fastest = 0;
  std::size_t enough = 0;  // the fewest ranks that take at most a tenth longer
  std::string sentence;
};
// Throws bad_argument without trials.
RankAdvice advise_ranks(const std::vector<Trial>& trials, MachineKind kind);

}  // namespace echelon
#pragma GCC visibility pop
