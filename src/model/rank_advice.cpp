// model/rank_advice.cpp -- advises on the number of ranks and the grid, and finds the limiting
// factor.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "echelon/error.hpp"
#include "echelon/tools/forecast.hpp"
#include "echelon/tools/units.hpp"

namespace echelon {
namespace {

constexpr double enough_share = 1.1;  // a grid within this factor of the fastest is enough
constexpr double agree_share = 1.25;  // model and simulation agree within it
constexpr double busy_share = 0.75;   // of the time: a rank this busy is the limit

std::string grid_text(const Trial& t) {
  return std::to_string(t.grid.rows) + "x" + std::to_string(t.grid.cols);
}

}  // namespace

double Trial::model_s() const {
  double sum = 0;
  for (const Forecast& f : model) sum += f.total_s;
  return sum;
}
double Trial::simulated_s() const {
  double sum = 0;
  for (const Simulation& s : simulation) sum += s.span_s;
  return sum;
}

Trial try_grid(const SolveProblem& p, const ProcessGrid& grid, const Machine& machine,
               bool simulated, double one_s, const SimulationOptions& o) {
  Trial trial{grid, p.engine, {}, {}};
  const Supernodes* const any = p.lower != nullptr ? p.lower : p.upper;
  if (any == nullptr) throw Error(ErrorCode::bad_argument, "there is no triangle to forecast");
  // The map is computed from L, and U's transpose follows it; without L it is computed from U.
  const BlockMap map = map_blocks(*any, grid, p.mapping);
  const bool two = p.lower != nullptr && p.upper != nullptr && p.lower != p.upper;
  const BlockMap turned = two ? map.transposed() : map;
  for (const Sweep sweep : {Sweep::forward, Sweep::backward}) {
    const Supernodes* const s = sweep == Sweep::forward ? p.lower : p.upper;
    if (s == nullptr) continue;
    RankProblem pass{s, sweep == Sweep::forward ? &map : &turned, p.tree, sweep};
    pass.value_bytes = p.value_bytes;
    pass.vectors = p.vectors;
    pass.resident = two ? 2 : 1;
    pass.engine = p.engine;
    pass.sum_engine = p.sum_engine;
    const bool gpus = machine.kind == MachineKind::gpu;
    trial.model.push_back(gpus ? forecast_gpus(pass, machine, one_s)
                               : forecast_ranks(pass, machine));
    if (simulated) trial.simulation.push_back(simulate(pass, machine, o));
  }
  return trial;
}

Limit find_limit(const Trial& t) {
  double messages = 0, busiest = 0;  // on the path; on the rank that computes most
  for (const Simulation& s : t.simulation) {
    messages += s.path_message_s;
    double most = 0;
    for (const RankTimes& r : s.rank) most = std::max(most, r.compute_s);
    busiest += most;
  }
  if (t.simulation.empty())
    for (const Forecast& f : t.model) {
      messages += f.communicate_s;
      busiest += f.compute_least_s;
    }
  if (messages > 0.5 * t.seconds()) return Limit::messages;
  return busiest > busy_share * t.seconds() ? Limit::reading : Limit::path;
}

std::string explain_difference(const Trial& t, MachineKind kind) {
  if (t.simulation.empty()) return "";
  const double model = t.model_s(), simulated = t.simulated_s();
  if (model < agree_share * simulated && simulated < agree_share * model) return "";
  double blocks = 0, messages = 0, path_blocks = 0, path_messages = 0;
  for (const Forecast& f : t.model) {
    blocks += f.compute_most_s;
    messages += f.communicate_s;
  }
  for (const Simulation& s : t.simulation) {
    path_blocks += s.path_compute_s;
    path_messages += s.path_message_s;
  }
  const bool more = model > simulated;
  const bool of_blocks = more ? blocks - path_blocks > messages - path_messages
                              : path_blocks - blocks > path_messages - messages;
  std::string text = grid_text(t);
  text.append(" with ").append(t.engine).append(": the model has ");
  text += time_text(of_blocks ? blocks : messages);
  text.append(of_blocks ? " of blocks" : " of messages").append(" on its path, the simulation ");
  text += time_text(of_blocks ? path_blocks : path_messages);
  if (of_blocks && more && kind == MachineKind::gpu)
    text += "; levels overlap, and thread blocks share what the model has one of them read";
  else if (of_blocks)
    text += more ? "; ranks work ahead where the model lets a level wait for the one before"
                 : "; the simulation counts what a task costs besides reading, and ranks that do "
                   "other things first";
  else
    text += more ? "; messages overlap with work, and with each other"
                 : "; the simulation has them wait for ranks and links that are busy";
  return text;
}

RankAdvice advise_ranks(const std::vector<Trial>& trials, MachineKind kind) {
  if (trials.empty()) throw Error(ErrorCode::bad_argument, "there is nothing to compare");
  RankAdvice advice;
  const auto better = [&](std::size_t a, std::size_t b) {
    return trials[a].seconds() < trials[b].seconds();
  };
  for (std::size_t k = 1; k < trials.size(); ++k)
    if (better(k, advice.fastest)) advice.fastest = k;
  advice.enough = advice.fastest;
  const double most = enough_share * trials[advice.fastest].seconds();
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Index here = trials[k].grid.size(), there = trials[advice.enough].grid.size();
    if (trials[k].seconds() <= most &&
        (here < there || (here == there && better(k, advice.enough))))
      advice.enough = k;
  }
  const Trial& best = trials[advice.fastest];
  const auto count = [&](const Trial& t) {
    const char* const what = kind == MachineKind::gpu ? " GPU" : " rank";
    return std::to_string(t.grid.size()) + what + (t.grid.size() == 1 ? "" : "s");
  };
  std::string text = "fastest: " + count(best);
  if (best.grid.size() > 1) text += " as " + grid_text(best) + " with " + best.engine;
  text += ", " + time_text(best.seconds());
  switch (find_limit(best)) {
    case Limit::messages:
      text += ", most of it messages";
      break;
    case Limit::reading:
      text += ", limited by what the fullest has to do";
      break;
    case Limit::path:
      text += ", limited by blocks that wait for each other";
      break;
  }
  if (advice.enough != advice.fastest) {
    const Trial& enough = trials[advice.enough];
    text += "; " + count(enough) + (enough.grid.size() > 1 ? " as " + grid_text(enough) : "") +
            " would take " + time_text(enough.seconds());
  }
  advice.sentence = text;
  return advice;
}

}  // namespace echelon
