// cli/break_even.cpp -- the number of solves after which analysis or inversion pays, for echelon
// inspect.
// SPDX-License-Identifier: BSD-3-Clause
#include "break_even.hpp"

#include <algorithm>
#include <vector>

#include "machine.hpp"
#include "table.hpp"

namespace echelon::cli {

AnalysisPayoff find_analysis_payoff(const AnalysisReport& report, double expected_solves) {
  RowFacts facts;
  facts.n = report.n;
  facts.nonzeros = std::max<Offset>(report.nnz - report.n, 0);
  facts.levels = report.levels;
  facts.threads = report.threads;
  facts.superstep_speedup = report.predicted_speedup;
  const Machine& machine = default_machine(MachineKind::cpu);
  AnalysisPayoff p;
  p.solve = estimate_rows(report.method, facts, machine);
  p.loop = estimate_rows(Method::serial, facts, machine);
  const std::vector<Alternative> both{{"a plain loop", 0, p.loop.total_s},
                                      {name(report.method), report.analysis_s, p.solve.total_s}};
  p.advice = advise(both, expected_solves);
  return p;
}

std::string text_of(const AnalysisPayoff& p) {
  return payoff_text("analysis", "pays", p.advice.pays_after[1]) + ": a solve should take " +
         time_text(p.solve.total_s) + " (most of it: " + p.solve.limit + "), a plain loop " +
         time_text(p.loop.total_s);
}

Json to_json(const AnalysisPayoff& p) {
  return Json::object()
      .set("model_s", p.solve.total_s)
      .set("limit", p.solve.limit)
      .set("loop_model_s", p.loop.total_s)
      .set("analysis_pays_after", p.advice.pays_after[1])
      .set("sentence", p.advice.sentence);
}

InversePayoff find_inverse_payoff(PanelFacts facts, const Options& o) {
  InversePayoff p;
  p.threads = facts.threads = o.cpu.threads > 0 ? o.cpu.threads : available_cores();
  const Machine& machine = default_machine(MachineKind::cpu);
  p.plain = estimate_panels(Method::merge, facts, machine);
  p.inverted = estimate_panels(Method::invert_diag, facts, machine);
  p.invert_s = estimate_inversion(facts);
  const std::vector<Alternative> both{{"merge", 0, p.plain.total_s},
                                      {"invert_diag", p.invert_s, p.inverted.total_s}};
  p.advice = advise(both, o.expected_solves);
  return p;
}

std::string text_of(const InversePayoff& p) {
  return payoff_text("inverted diagonals", "pay", p.advice.pays_after[1]) + ": on " +
         std::to_string(p.threads) + (p.threads == 1 ? " thread" : " threads") +
         " a solve should take " + time_text(p.inverted.total_s) + " instead of " +
         time_text(p.plain.total_s) + ", inverting " + time_text(p.invert_s);
}

Json to_json(const InversePayoff& p) {
  return Json::object()
      .set("threads", p.threads)
      .set("model_s", p.plain.total_s)
      .set("inverted_model_s", p.inverted.total_s)
      .set("invert_model_s", p.invert_s)
      .set("inverse_pays_after", p.advice.pays_after[1])
      .set("sentence", p.advice.sentence);
}

}  // namespace echelon::cli
