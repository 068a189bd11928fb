// solver/analysis.cpp -- from a pattern and options to a plan: the first of the three phases.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"
#include "base/refuse.hpp"
#include "base/timer.hpp"
#include "base/vector_unit.hpp"
#include "echelon/device.hpp"
#include "echelon/executor.hpp"
#include "echelon/solver.hpp"
#include "echelon/tools/model.hpp"
#include "solver/row_analysis.hpp"

namespace echelon {

struct Analysis::State {
  Options options;
  AnalysisReport report;
  Plan plan;
  Offset stored_count = 0;
  double solve_s = 0;       // of a method by rows: its estimate
  TrianglePattern read_as;  // without the arrays, which are the caller's

  static std::shared_ptr<const State> make(const TrianglePattern& t, const Options& options,
                                           std::span<const Index> supernodes, bool by_rows);
  void build(const TrianglePattern& t, std::span<const Index> supernodes, bool by_rows);
};

namespace {

Buffer<Index> plain_sweep(const DependencyGraph& g) {
  Buffer<Index> order(g.n);
  for (Index k = 0; k < g.n; ++k) order[k] = g.unknown(k);
  return order;
}

// The triangle, the options, and what becomes of them.
struct Building {
  const TrianglePattern& t;
  const Options& o;
  Plan& plan;
  AnalysisReport& report;
  double& solve_s;
};

// The estimated time of the chosen method on CPU threads.
double estimate_choice(const Workload& w, Method method) {
  RowFacts facts;
  facts.n = w.n;
  facts.nonzeros = w.nonzeros;
  facts.levels = w.levels;
  facts.threads = method == Method::serial ? 1 : w.threads;
  facts.superstep_speedup = w.superstep_speedup;
  return estimate_rows(method, facts, default_machine(MachineKind::cpu)).total_s;
}

// Decides on the method, and leaves the superstep schedule in plan.steps where one was made.
Choice decide(const DependencyGraph& g, const LevelSets& levels, const Building& to) {
  const Options& o = to.o;
  Plan& plan = to.plan;
  if (o.method != Method::automatic && o.method != Method::superstep)
    return {o.method, "it was asked for"};
  Workload w{g.n, g.nonzeros, levels.count(), plan.threads, o.expected_solves, 1};
  to.solve_s = estimate_choice(w, Method::serial);
  Choice choice;
  if (o.method == Method::automatic && !worth_a_schedule(w, choice)) return choice;
  plan.steps = find_supersteps(g, levels, plan.threads, o.schedule, plan.threads);
  if (o.method == Method::superstep) return {o.method, "it was asked for"};
  w.superstep_speedup = plan.steps.speedup();
  choice = choose_method(w);
  to.solve_s = estimate_choice(w, choice.method);
  return choice;
}

// The execution order of the chosen method.  Keeps the parts of the schedules that its executor
// needs.
Buffer<Index> take_order(const DependencyGraph& g, LevelSets& levels, Plan& plan) {
  if (plan.method == Method::superstep) return std::move(plan.steps.order);
  plan.steps = {};
  if (plan.method == Method::serial) return plain_sweep(g);
  plan.level_start = std::move(levels.start);
  return std::move(levels.order);
}

// Which lists are the columns of the N the panels are made of.
Order panel_lists(const TrianglePattern& t, Direction direction) {
  if (direction == Direction::automatic)
    return t.shape() == Uplo::lower ? Order::columns : Order::rows;
  return direction == Direction::push ? Order::columns : Order::rows;
}

bool tree_fits(const Options& o) {
  return fits_shared_memory(Method::tree, shared_memory_for(o.cuda));
}

void build_block_plan(const Building& to, std::span<const Index> first) {
  const auto& [t, o, plan, report, solve_s] = to;
  const Index threads = std::min(thread_count(o.cpu.threads), CpuOptions::most_threads);
  DependencyGraph g = find_dependency_graph(t, panel_lists(t, o.supernode.direction), threads);
  report.n = g.n;
  report.nnz = g.nonzeros + static_cast<Offset>(g.diagonal.size());
  const Choice choice = o.method == Method::automatic ? choose_supernodal_on_device(tree_fits(o))
                                                      : Choice{o.method, "it was asked for"};
  report.method = plan.method = choice.method;
  report.reason = choice.reason;
  report.threads = plan.threads = threads;
  plan.rhs_per_pass = o.cpu.rhs_per_pass;
  plan.cuda = o.cuda;
  report.supernodes.nonzeros = g.nonzeros + g.n;
  plan.blocks =
      plan_blocks(first.empty() ? find_supernodes(g, threads) : find_supernodes(g, first, threads),
                  recipe_of(plan.method), supernode_options(o, plan.method), report.supernodes);
  plan.blocks.pull = g.lists == Order::rows;
  plan.blocks.reversed = (g.shape == Uplo::lower) == plan.blocks.pull;
  report.levels = plan.blocks.levels();
  report.average_parallelism = report.levels == 0 ? 0 : static_cast<double>(g.n) / report.levels;
  Buffer<Index> order = plain_sweep(g);
  if (plan.blocks.pull) std::reverse(order.begin(), order.end());
  plan.pattern = pack_pattern(std::move(g), std::move(order), threads);
  report.plan_bytes = plan.bytes();
}

void report_levels(const DependencyGraph& g, Index levels, AnalysisReport& report) {
  report.n = g.n;
  report.nnz = g.nonzeros + static_cast<Offset>(g.diagonal.size());
  report.levels = levels;
  report.average_parallelism = levels == 0 ? 0 : static_cast<double>(g.n) / levels;
}

void build_plan(const Building& to) {
  const auto& [t, o, plan, report, solve_s] = to;
  const Index threads = std::min(thread_count(o.cpu.threads), CpuOptions::most_threads);
  plan.threads = o.method == Method::serial ? 1 : threads;
  DependencyGraph g = find_dependency_graph(t, lists_of(o.method), threads);
  LevelSets levels = find_level_sets(g, threads);
  report_levels(g, levels.count(), report);

  const Choice choice = decide(g, levels, to);
  plan.method = choice.method;
  if (plan.method == Method::serial) plan.threads = 1;
  report.method = plan.method;
  report.reason = choice.reason;
  report.threads = plan.threads;
  report.supersteps = plan.method == Method::superstep ? plan.steps.count : 0;
  report.predicted_speedup = plan.method == Method::superstep ? plan.steps.speedup() : 1;
  plan.rhs_per_pass = o.cpu.rhs_per_pass;
  plan.cuda = o.cuda;
  Buffer<Index> order = take_order(g, levels, plan);
  levels = {};
  plan.pattern = pack_pattern(std::move(g), std::move(order), threads);
  report.plan_bytes = plan.bytes();
}

// The plan for a device: bands, or the method by rows that should be fastest.  False if a
// supernodal method should be faster; `by_rows` leaves these out.
bool build_device_plan(const Building& to, bool by_rows) {
  const auto& [t, o, plan, report, solve_s] = to;
  const Index threads = std::min(thread_count(o.cpu.threads), CpuOptions::most_threads);
  DependencyGraph g = find_dependency_graph(t, Order::rows, threads);
  const double near = o.method == Method::automatic && !by_rows ? count_near_entries(g) : 0;
  const Levels levels = find_levels(g);
  const BandChoice bands = choose_bands(
      g, levels, {o.cuda.bands, o.cuda.band_levels, o.cuda.band_threads, shared_memory_for(o.cuda)},
      threads);
  Choice choice{o.method, "it was asked for"};
  if (o.method == Method::automatic) {
    DeviceWorkload w{find_row_facts(g, levels), near, tree_fits(o)};
    w.rows.bands_s = bands.seconds;
    choice = choose_on_device(w);
    if (!is_supernodal(choice.method))
      solve_s = estimate_rows(choice.method, w.rows, default_machine(MachineKind::gpu)).total_s;
  }
  if (is_supernodal(choice.method)) return false;
  report_levels(g, levels.count, report);
  report.method = plan.method = choice.method;
  report.reason = choice.reason;
  report.threads = plan.threads = threads;
  plan.rhs_per_pass = o.cpu.rhs_per_pass;
  plan.cuda = o.cuda;
  if (plan.method == Method::superstep) {
    BandLayout layout = lay_bands(g, levels, bands.options.bands, threads);
    plan.pattern = pack_pattern(std::move(g), std::move(layout.order), threads);
    plan.bands = find_bands(plan.pattern, layout, bands.options, threads);
    report.supersteps = plan.bands.count();
  } else {
    LevelSets sets = find_level_sets(g, levels, threads);
    Buffer<Index> order = take_order(g, sets, plan);
    plan.pattern = pack_pattern(std::move(g), std::move(order), threads);
  }
  report.plan_bytes = plan.bytes();
  return true;
}

}  // namespace

void Analysis::State::build(const TrianglePattern& t, std::span<const Index> supernodes,
                            bool by_rows) {
  const Options& o = options;
  const Building to{t, o, plan, report, solve_s};
  const bool on_device = o.backend == Backend::cuda;
  const bool chosen_there = on_device && o.method == Method::automatic;
  const bool in_bands = on_device && o.method == Method::superstep;
  if ((chosen_there || in_bands) && supernodes.empty() && build_device_plan(to, by_rows)) return;
  if (is_supernodal(o.method) || chosen_there) return build_block_plan(to, supernodes);
  if (!supernodes.empty())
    refuse(std::string("method ") + name(o.method) + " does not work on supernodes");
  build_plan(to);
}

auto Analysis::State::make(const TrianglePattern& t, const Options& options,
                           std::span<const Index> supernodes, bool by_rows)
    -> std::shared_ptr<const State> {
  const Timer timer;
  check_options(options);
  return report_bad_alloc("analysis", [&] {
    auto state = std::make_shared<State>();
    state->options = options;
    if (options.backend == Backend::cuda)
      state->options.cuda.device = choose_device(options.cuda.device);
    const DeviceScope there(state->options.device());
    state->read_as = t;
    state->read_as.stored.start = {};
    state->read_as.stored.index = {};
    state->stored_count = t.stored.nonzeros();
    state->report.backend = options.backend;
    state->plan.vector_unit = find_vector_unit(options.cpu.vector_unit);
    if (options.backend == Backend::cpu) state->report.vector_unit = state->plan.vector_unit;
    state->build(t, supernodes, by_rows);
    state->report.analysis_s = timer.seconds();
    return state;
  });
}

Analysis::Analysis(const TrianglePattern& t, const Options& options,
                   std::span<const Index> supernodes)
    : state_(State::make(t, options, supernodes, false)) {}

RowAnalysis RowAnalysis::make(const TrianglePattern& t, const Options& options) {
  const auto state = Analysis::State::make(t, options, {}, true);
  return {Analysis(state), state->solve_s};
}

const AnalysisReport& Analysis::report() const { return state_->report; }
const Options& Analysis::options() const { return state_->options; }
const Plan& Analysis::plan() const { return state_->plan; }
Offset Analysis::stored_count() const { return state_->stored_count; }
Uplo Analysis::shape() const { return state_->read_as.shape(); }

void Analysis::check_same(const TrianglePattern& t) const {
  if (t.n() != report().n || t.stored.nonzeros() != stored_count())
    throw Error(ErrorCode::bad_argument,
                "the matrix has " + std::to_string(t.n()) + " rows and " +
                    std::to_string(t.stored.nonzeros()) + " entries, the analysis was of " +
                    std::to_string(report().n) + " and " + std::to_string(stored_count()));
  const TrianglePattern& a = state_->read_as;
  if (t.stored.order != a.stored.order || t.uplo != a.uplo || t.diagonal != a.diagonal ||
      (t.op == Op::none) != (a.op == Op::none) || t.outside != a.outside)
    throw Error(ErrorCode::bad_argument,
                "the triangle is not read as it was analyzed: lower or upper, rows or columns, "
                "transposed, unit diagonal");
}

}  // namespace echelon
