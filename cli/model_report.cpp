// cli/model_report.cpp -- reports of echelon model: a table or JSON, and the advice.
// SPDX-License-Identifier: BSD-3-Clause
#include "model_report.hpp"

#include <iostream>

#include "json.hpp"
#include "machine.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

std::string grid_of(const Trial& t) {
  return std::to_string(t.grid.rows) + "x" + std::to_string(t.grid.cols);
}

// The sum over all passes.
template <class Part, class Value>
double sum(const std::vector<Part>& passes, Value Part::*value) {
  double all = 0;
  for (const Part& pass : passes) all += static_cast<double>(pass.*value);
  return all;
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double v : values) list.push(v);
  return list;
}

Json to_json(const Forecast& f, bool levels) {
  Json json = Json::object();
  json.set("compute_min_s", f.compute_least_s)
      .set("compute_max_s", f.compute_most_s)
      .set("communicate_s", f.communicate_s)
      .set("model_s", f.total_s)
      .set("path_messages", f.messages)
      .set("levels", f.level_compute_s.size());
  if (levels)
    json.set("level_compute_s", numbers(f.level_compute_s))
        .set("level_communicate_s", numbers(f.level_communicate_s));
  return json;
}

Json to_json(const Simulation& s) {
  double compute = 0, send = 0, receive = 0;
  for (const RankTimes& r : s.rank) {
    compute += r.compute_s;
    send += r.send_s;
    receive += r.receive_s;
  }
  const auto ranks = static_cast<double>(s.rank.size());
  return Json::object()
      .set("span_s", s.span_s)
      .set("messages", s.messages)
      .set("message_bytes", s.message_bytes)
      .set("compute_mean_s", compute / ranks)
      .set("send_mean_s", send / ranks)
      .set("receive_mean_s", receive / ranks)
      .set("path_compute_s", s.path_compute_s)
      .set("path_message_s", s.path_message_s)
      .set("path_messages", s.path_messages);
}

Json to_json(const Trial& t, MachineKind kind, bool levels) {
  Json model = Json::array(), simulation = Json::array();
  for (const Forecast& f : t.model) model.push(to_json(f, levels));
  for (const Simulation& s : t.simulation) simulation.push(to_json(s));
  Json json = Json::object();
  json.set("ranks", t.grid.size())
      .set("grid", grid_of(t))
      .set("engine", t.engine)
      .set("model_s", t.model_s())
      .set("limit", name(find_limit(t)))
      .set("model", model);
  if (!t.simulation.empty())
    json.set("simulated_s", t.simulated_s())
        .set("simulation", simulation)
        .set("difference", explain_difference(t, kind));
  return json;
}

}  // namespace

void print_model_table(const ModelFacts& facts, const Machine& machine,
                       const std::vector<Trial>& trials, const RankAdvice& advice) {
  std::cout << facts.input << ": " << facts.kind << " by " << facts.package << ", "
            << facts.ordering << " order\n";
  print_fact(std::cout, "unknowns", grouped(facts.n));
  print_fact(std::cout, "blocks of columns", grouped(facts.blocks));
  print_fact(std::cout, "entries", grouped(facts.entries));
  print_fact(std::cout, "machine", machine.name);
  print_fact(std::cout, "mapping, tree", facts.mapping + ", " + facts.tree);
  std::cout << '\n';
  const bool gpus = machine.kind == MachineKind::gpu;
  const bool simulated = !trials.front().simulation.empty();
  std::vector<std::string> titles{gpus ? "GPUs" : "ranks",
                                  "grid",
                                  "engine",
                                  "compute >=",
                                  "path",
                                  "messages",
                                  "model",
                                  "on path"};
  if (simulated) titles.insert(titles.end(), {"simulated", "all messages"});
  titles.emplace_back("limit");
  Table table(titles, 3);
  for (const Trial& t : trials) {
    std::vector<std::string> row{grouped(t.grid.size()),
                                 grid_of(t),
                                 t.grid.size() > 1 ? t.engine : "-",
                                 time_text(sum(t.model, &Forecast::compute_least_s)),
                                 time_text(sum(t.model, &Forecast::compute_most_s)),
                                 time_text(sum(t.model, &Forecast::communicate_s)),
                                 time_text(t.model_s()),
                                 grouped(static_cast<Offset>(sum(t.model, &Forecast::messages)))};
    if (simulated) {
      row.push_back(time_text(t.simulated_s()));
      row.push_back(grouped(static_cast<Offset>(sum(t.simulation, &Simulation::messages))));
    }
    row.emplace_back(name(find_limit(t)));
    table.add(row);
  }
  table.print(std::cout);
  std::cout << "\n  " << advice.sentence << '\n';
  const std::string why = explain_difference(trials[advice.fastest], machine.kind);
  if (!why.empty()) std::cout << "  " << why << '\n';
}

Json to_json(const ModelFacts& facts, const Machine& machine, const std::vector<Trial>& trials,
             const RankAdvice& advice, bool levels) {
  Json list = Json::array();
  for (const Trial& t : trials) list.push(to_json(t, machine.kind, levels));
  return begin_document("echelon", "model")
      .set("input", facts.input)
      .set("part", facts.part)
      .set("phase", facts.phase)
      .set("n", facts.n)
      .set("nnz", facts.nonzeros)
      .set("nrhs", facts.vectors)
      .set("precision", facts.precision)
      .set("factor", facts.package)
      .set("factor_kind", facts.kind)
      .set("ordering", facts.ordering)
      .set("supernodes", facts.blocks)
      .set("stored_entries", facts.entries)
      .set("mapping", facts.mapping)
      .set("tree", facts.tree)
      .set("target", machine.name)
      .set("target_source", machine.source)
      .set("trials", list)
      .set("fastest", advice.fastest)
      .set("enough", advice.enough)
      .set("advice", advice.sentence);
}

}  // namespace echelon::cli
