// echelon/forecast.hpp -- predicted time of a distributed triangular solve from pattern and
// machine: the models of the papers and a simulation of the protocol.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after dist.hpp and machine.hpp.
//
// Blocks are the nodes of the graph.  A block below the diagonal waits for the diagonal block of
// its column, and a diagonal block waits for all blocks of its row (backwards: rows and columns
// change places).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "echelon/dist.hpp"
#include "echelon/machine.hpp"
#include "echelon/timeline.hpp"

namespace echelon {

// The input of a model: a triangle, the owner of each block, and the means of communication.
struct RankProblem {
  const Supernodes* supernodes = nullptr;
  const BlockMap* map = nullptr;
  TreeShape tree = TreeShape::binary;
  Way way = Way::forwards;
  std::size_t value_bytes = 8;
  Index vectors = 1;
  double resident = 1;  // bytes read between two reads of a value, over the bytes of this pass: 2
                        // where passes with two triangles alternate
  std::string engine = "payload";
  std::string sum_engine = {};  // engine of the sums; empty: the same

  const std::string& engine_of(bool sum) const {
    return sum && !sum_engine.empty() ? sum_engine : engine;
  }
};

struct BlockAt {
  Index row = 0, col = 0;  // supernodes
  friend bool operator==(const BlockAt&, const BlockAt&) = default;
};

// Ding et al. 2020: one block per level; then, per level, all blocks of the rank with most blocks
// of that level, since one rank computes its blocks one after the other.
struct CriticalPath {
  std::vector<BlockAt> initial;          // one per level
  std::vector<BlockAt> block;            // refined, level by level
  std::vector<std::size_t> level_start;  // size levels+1
  std::vector<Index> rank;               // size levels: owner of the blocks of each level
  Index diagonals = 0;                   // among `block`
  Offset messages = 0;                   // to and from these blocks

  Index levels() const { return static_cast<Index>(initial.size()); }
};
CriticalPath find_critical_path(const RankProblem& p);

// The prediction of a model for one pass.
struct Forecast {
  double compute_least_s = 0;  // the rank with most bytes to read, without any waits
  double compute_most_s = 0;   // the blocks on the path
  double communicate_s = 0;    // messages on the path
  double total_s = 0;          // as in the paper: compute_most_s + communicate_s
  Offset messages = 0;         // on the path
  Index slowest = 0;           // GPUs: the one with the longest path
  std::vector<double> level_compute_s, level_communicate_s;
};

// Ding et al. 2020, Algorithm 1.
Forecast forecast_ranks(const RankProblem& p, const Machine& machine);
// Ding et al. 2021, Algorithm 2.  `one_gpu_s`: the same forecast for one GPU, 0 if unknown.  If P
// GPUs are more than P times as fast, the bandwidth of a thread block is not adjusted to each
// level.
Forecast forecast_gpus(const RankProblem& p, const Machine& machine, double one_gpu_s = 0);

// For a GPU: the average of its thread blocks.
struct RankTimes {
  double compute_s = 0, send_s = 0, receive_s = 0, end_s = 0;  // the rest up to `end_s` is waiting
};

struct Simulation {
  double span_s = 0;  // end of the last rank
  Offset messages = 0;
  double message_bytes = 0;
  std::vector<RankTimes> rank;
  // Along the chain of dependencies that leads to the last answer.
  double path_compute_s = 0, path_message_s = 0;
  Index path_messages = 0;
  Timeline timeline;  // if requested
};

struct SimulationOptions {
  bool timeline = false;
  Offset piece_bytes = 0;  // GPUs: size of the pieces of a product; 0: not split
};

// Simulates a pass of all ranks, event by event, with the plans, trees and task order of the real
// one.  Deterministic.  The cost grows with blocks and messages, not with the simulated time.
Simulation simulate(const RankProblem& p, const Machine& machine, const SimulationOptions& o = {});

// The passes of a solve: with L forwards, then with U backwards.
struct SolveProblem {
  const Supernodes* lower = nullptr;  // null: no such pass
  const Supernodes* upper = nullptr;  // of the transpose of U; the same as `lower` if that is L
  Mapping mapping = Mapping::subtree;
  TreeShape tree = TreeShape::binary;
  std::size_t value_bytes = 8;
  Index vectors = 1;
  std::string engine = "payload";
  std::string sum_engine = {};
};

// Predictions for one grid and engine.
struct Trial {
  ProcessGrid grid;
  std::string engine;
  std::vector<Forecast> model;         // by pass
  std::vector<Simulation> simulation;  // by pass, if requested

  double model_s() const;
  double simulated_s() const;
  double seconds() const { return simulation.empty() ? model_s() : simulated_s(); }
};
// `one_s`: the model's time on one GPU, 0 if unknown.
Trial try_grid(const SolveProblem& p, const ProcessGrid& grid, const Machine& machine,
               bool simulated, double one_s = 0, const SimulationOptions& o = {});

// What limits the time of a solve.
enum class Limit {
  messages,  // most of the path's time is messages
  reading,   // the rank with most work hardly waits
  path,      // blocks that wait for each other
};
const char* name(Limit limit) noexcept;
Limit find_limit(const Trial& trial);

// Explains a difference of more than a quarter between model and simulation; empty if they agree or
// there is no simulation.
std::string explain_difference(const Trial& trial, MachineKind kind);

struct RankAdvice {
  std::size_t fastest = 0;
  std::size_t enough = 0;  // the fewest ranks that take at most 10 % longer
  std::string sentence;
};
// Throws bad_argument without trials.
RankAdvice advise_ranks(const std::vector<Trial>& trials, MachineKind kind);

}  // namespace echelon
