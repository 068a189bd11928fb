// cli/inspect_report.cpp -- echelon inspect --report and --pictures: the results as pictures.
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect_report.hpp"

#include "echelon/version.hpp"
#include "machine.hpp"
#include "model_pictures.hpp"
#include "open_machine.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

constexpr Index most_named = 64;  // supernodes; with more, colours by rank are unreadable

std::string ranks_text(const ProcessGrid& grid) {
  if (grid.size() == 1) return "one rank";
  return std::to_string(grid.size()) + " ranks, " + std::to_string(grid.rows) + "x" +
         std::to_string(grid.cols) + ", blocks assigned cyclically";
}

std::string path_caption(const DrawnTriangle& t, const ProcessGrid& grid, const CriticalPath& p) {
  return "The critical path of " + t.title + " on " + ranks_text(grid) + ": " +
         grouped(p.levels()) +
         " levels of blocks; with the other blocks that one rank must compute in " + "sequence, " +
         grouped(static_cast<Offset>(p.block.size())) + " blocks are on it, " +
         grouped(p.diagonals) + " of them diagonal, with " + grouped(p.messages) + " messages.";
}

Machine machine_of_ranks(const std::string& given) {
  const std::string name = given.empty() ? "cori-haswell" : given;
  Machine machine = open_machine(name);
  if (machine.kind != MachineKind::cpu || machine.messages.empty())
    throw UsageError("--machine " + name +
                     " has no message times of CPU ranks, which the forecasts need: use a machine "
                     "calibrated with echelon-mpi");
  return machine;
}

}  // namespace

void add_report_flags(CLI::App& app, ReportRequest& request) {
  app.add_option("--report", request.page, "also write all of it, with pictures, as one HTML page")
      ->type_name("FILE");
  app.add_option("--pictures", request.folder, "also write the pictures into this folder")
      ->type_name("DIR");
  app.add_option("--machine", request.machine,
                 "machine of the forecasts: a name or a file [cori-haswell]");
}

InspectReport::InspectReport(ReportRequest request, const std::string& input)
    : request_(std::move(request)), page_("echelon inspect " + input), page_title_(input) {
  page_.add_text(std::string("Echelon ") + ECHELON_VERSION + ", " + date_now() + ", on " +
                 processor_name() + " with " + std::to_string(available_cores()) + " cores");
  if (!request_.folder.empty()) check_folder(request_.folder);
  if (request_.machine.empty()) return;
  if (!wanted())
    throw UsageError("--machine is for the forecasts of a report: use --report or --pictures");
  machine_of_ranks(request_.machine);
}

void InspectReport::refuse_machine() const {
  if (!request_.machine.empty())
    throw UsageError("--machine is for forecasts, which need factors: use --part full");
}

void InspectReport::add(const std::string& heading, const Table& facts) {
  page_.add_heading(heading);
  page_.add_table(facts.rows());
}

void InspectReport::add_figure(const std::string& name, Canvas canvas, const std::string& caption) {
  page_.add_figure(canvas, caption);
  pictures_.emplace_back(name, std::move(canvas));
}

void InspectReport::add_blocks(const DrawnTriangle& t) {
  const std::string turned = t.sweep == Sweep::backward ? ", as its transpose" : "";
  add_figure(
      t.key + "_blocks", draw_spy(t.supernodes),
      "Blocks of " + t.title + turned + ": the rows of a supernode in the columns of another.");
  add_figure(t.key + "_levels", draw_levels(t.supernodes),
             "Levels of the supernodes of " + t.title +
                 ": those of one level can be solved in parallel. Values of 8 bytes.");
}

void InspectReport::add_paths(const DrawnTriangle& t) {
  for (const Index ranks : {1, 16}) {
    const BlockMap map = map_blocks(t.supernodes, square_grid(ranks), Mapping::cyclic);
    const CriticalPath path =
        find_critical_path({.supernodes = &t.supernodes, .map = &map, .sweep = t.sweep});
    const bool colored = ranks > 1 && t.supernodes.count() <= most_named;
    add_figure(t.key + "_path_" + std::to_string(ranks),
               draw_spy(t.supernodes, {.path = &path, .owners = colored ? &map : nullptr}),
               path_caption(t, map.grid, path));
  }
}

void InspectReport::add_forecasts(const Supernodes& lower, const Supernodes& upper) {
  const Machine machine = machine_of_ranks(request_.machine);
  SolveProblem p;
  p.lower = &lower;
  p.upper = &upper;
  std::vector<Trial> trials;
  Timeline timeline;
  const std::string shown_engine =
      machine.messages.contains("payload") ? "payload" : machine.messages.begin()->first;
  for (const Index ranks : {1, 4, 16, 64, 256})
    for (const auto& [engine, cost] : machine.messages) {
      p.engine = engine;
      const bool shown = ranks == 16 && engine == shown_engine;
      trials.push_back(try_grid(p, {1, ranks}, machine, true, 0, {.timeline = shown}));
      if (shown) timeline = timeline_of(trials.back());
      if (ranks == 1) break;
    }
  const RankAdvice advice = advise_ranks(trials, machine.kind);
  page_.add_heading("Forecasts for " + machine.name);
  page_.add_text("On one row of ranks, " + advice.sentence + ".");
  add_figure("scaling", draw_trials(page_title_ + " on " + machine.name, trials),
             "Predicted time of a solve on one row of ranks, by the model and by simulation; "
             "machine: " +
                 machine.source + ".");
  add_figure("timeline", draw_timeline(timeline),
             "Timeline of 16 simulated ranks with " + shown_engine + " messages; blank: waiting.");
}

void InspectReport::write() const {
  if (!request_.page.empty()) page_.write(request_.page);
  if (request_.folder.empty()) return;
  for (const auto& [name, canvas] : pictures_) write_to_folder(canvas, request_.folder, name);
}

}  // namespace echelon::cli
