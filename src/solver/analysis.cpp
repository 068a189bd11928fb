// solver/analysis.cpp -- from a pattern and options to a plan: the first of the three phases.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/timer.hpp"
#include "echelon/model.hpp"
#include "echelon/solver.hpp"
#include "solver/out_of_memory.hpp"

namespace echelon {

struct Analysis::State {
  Options options;
  AnalysisReport report;
  Plan plan;
  Offset stored_count = 0;
  TrianglePattern read_as;  // without the arrays, which are the caller's
};

namespace {

Buffer<Index> plain_sweep(const DependencyGraph& g) {
  Buffer<Index> order(g.n);
  for (Index k = 0; k < g.n; ++k) order[k] = g.unknown(k);
  return order;
}

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_argument, text); }

constexpr Index most_threads = 1024;  // a schedule has tables of threads by threads

// Numbers that steer the schedule: none negative, none NaN.
struct ScheduleCheck {
  void operator()(const char* key, double value, const char*) const {
    if (!(value >= 0) || std::isinf(value))
      refuse(std::string("schedule.") + key + " must be a number from 0 on");
  }
};

void check_options(Options o) {
  if (o.cpu.threads < 0)
    refuse("cpu.threads is " + std::to_string(o.cpu.threads) + "; it cannot be negative");
  if (o.cpu.threads > most_threads)
    refuse("cpu.threads is " + std::to_string(o.cpu.threads) + "; at most " +
           std::to_string(most_threads) + " can be used");
  if (!(o.expected_solves >= 0)) refuse("expected_solves must be a number from 0 on");
  o.schedule.visit(ScheduleCheck());
  if (o.deterministic && o.method != Method::automatic && !is_deterministic(o.method))
    refuse(std::string("method ") + name(o.method) +
           " adds up in the order threads arrive and is not deterministic; the row methods, "
           "superstep and serial are");
}

// Decides on the method, and leaves the superstep schedule in plan.steps where one was made.
Choice decide(const DependencyGraph& g, const LevelSets& levels, const Options& o, Plan& plan) {
  if (o.method != Method::automatic && o.method != Method::superstep)
    return {o.method, "it was asked for"};
  Workload w{g.n, g.nonzeros, levels.count(), plan.threads, o.expected_solves, 1};
  Choice choice;
  if (o.method == Method::automatic && !worth_a_schedule(w, choice)) return choice;
  plan.steps = find_supersteps(g, levels, plan.threads, o.schedule, plan.threads);
  if (o.method == Method::superstep) return {o.method, "it was asked for"};
  w.superstep_speedup = plan.steps.speedup();
  choice = choose_method(w);
  return choice;
}

// The order the chosen method runs in; keeps of the schedules what its executor needs.
Buffer<Index> take_order(const DependencyGraph& g, LevelSets& levels, Plan& plan) {
  if (plan.method == Method::superstep) return std::move(plan.steps.order);
  plan.steps = {};
  if (plan.method == Method::serial) return plain_sweep(g);
  plan.level_start = std::move(levels.start);
  return std::move(levels.order);
}

Offset bytes_of(const Plan& plan) {
  const PackedPattern& p = plan.pattern;
  const Supersteps& s = plan.steps;
  return static_cast<Offset>(sizeof(Index) *
                                 (p.order.size() + p.index.size() + plan.level_start.size() +
                                  s.start.size() + s.wait_start.size()) +
                             sizeof(Supersteps::Wait) * s.waits.size()) +
         p.start.bytes() + p.source.bytes() + p.from.bytes() + p.diagonal.bytes() +
         static_cast<Offset>(sizeof(ExtraDiagonal) * p.extra.size());
}

void build_plan(const TrianglePattern& t, const Options& o, Plan& plan, AnalysisReport& report) {
  const Index threads = std::min(thread_count(o.cpu.threads), most_threads);
  plan.threads = o.method == Method::serial ? 1 : threads;
  DependencyGraph g = find_dependency_graph(t, lists_of(o.method), threads);
  LevelSets levels = find_level_sets(g, threads);
  report.n = g.n;
  report.nonzeros = g.nonzeros + static_cast<Offset>(g.diagonal.size());
  report.levels = levels.count();
  report.average_parallelism = levels.count() == 0 ? 0 : static_cast<double>(g.n) / levels.count();

  const Choice choice = decide(g, levels, o, plan);
  plan.method = choice.method;
  if (plan.method == Method::serial) plan.threads = 1;
  report.method = plan.method;
  report.reason = choice.reason;
  report.threads = plan.threads;
  report.supersteps = plan.method == Method::superstep ? plan.steps.count : 0;
  report.predicted_speedup = plan.method == Method::superstep ? plan.steps.speedup() : 1;
  Buffer<Index> order = take_order(g, levels, plan);
  levels = {};
  plan.pattern = pack_pattern(std::move(g), std::move(order), threads);
  report.plan_bytes = bytes_of(plan);
}

}  // namespace

Analysis::Analysis(const TrianglePattern& t, const Options& options) {
  const Timer timer;
  check_options(options);
  state_ = report_bad_alloc("analysis", [&] {
    auto state = std::make_shared<State>();
    state->options = options;
    state->read_as = t;
    state->read_as.stored.start = {};
    state->read_as.stored.index = {};
    state->stored_count = t.stored.nonzeros();
    build_plan(t, options, state->plan, state->report);
    state->report.seconds = timer.seconds();
    return state;
  });
}

const AnalysisReport& Analysis::report() const { return state_->report; }
const Options& Analysis::options() const { return state_->options; }
const Plan& Analysis::plan() const { return state_->plan; }
Offset Analysis::stored_count() const { return state_->stored_count; }

void Analysis::check_same(const TrianglePattern& t) const {
  if (t.n() != report().n || t.stored.nonzeros() != stored_count())
    throw Error(ErrorCode::bad_argument,
                "the matrix has " + std::to_string(t.n()) + " rows and " +
                    std::to_string(t.stored.nonzeros()) + " entries, the analysis was of " +
                    std::to_string(report().n) + " and " + std::to_string(stored_count()));
  const TrianglePattern& a = state_->read_as;
  if (t.stored.order != a.stored.order || t.uplo != a.uplo || t.diagonal != a.diagonal ||
      (t.op == Op::none) != (a.op == Op::none) || t.other != a.other)
    throw Error(ErrorCode::bad_argument,
                "the triangle is not read as it was analyzed: lower or upper, rows or columns, "
                "transposed, unit diagonal");
}

}  // namespace echelon
