// cli/solve_triangle.cpp -- echelon solve with one triangle of a matrix: solves, times and checks.
// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <sstream>
#include <support/timed_solve.hpp>

#include "device_facts.hpp"
#include "echelon/io.hpp"
#include "echelon/residual.hpp"
#include "echelon/solver.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "profile.hpp"
#include "progress.hpp"
#include "report_members.hpp"
#include "solve.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

// The result, without x.
struct Outcome {
  AnalysisReport plan;
  SolverReport setup;
  std::string plan_text;
  Index nrhs = 1;
  double read_s = 0;
  double analysis_s = 0;
  double setup_s = 0;
  Spread solve;
  BackwardErrors errors = {};
  double traffic_bytes = 0;
  std::optional<DeviceFacts> device = std::nullopt;  // with backend cuda
  Profile profile = {};  // with backend cuda: of a solve with host vectors

  double gigabytes_per_second() const { return traffic_bytes / solve.median / 1e9; }
  double bandwidth_share() const { return 1e9 * gigabytes_per_second() / device->copy_bandwidth; }
};

// "2" or, for complex numbers, "2,-1".
template <Scalar T>
T parse_alpha(const std::string& text) {
  const std::vector<std::string> parts = split_list("--alpha", text);
  if (parts.size() > (is_complex<T> ? 2 : 1))
    throw UsageError(std::string("--alpha is ") +
                     (is_complex<T> ? "RE or RE,IM" : "one number, since the matrix is real") +
                     ", not '" + text + "'");
  const auto part = [&](std::size_t k) {
    return static_cast<Real<T>>(parse_number("--alpha", parts[k]));
  };
  if constexpr (is_complex<T>)
    return {part(0), parts.size() > 1 ? part(1) : 0};
  else
    return part(0);
}

// Adds the name of the input and a remedy.
[[noreturn]] void refuse(const Solve& o, const Error& error) {
  if (error.code() != ErrorCode::zero_diagonal) refuse_input(o.input, error);
  refuse_input(o.input,
               Error(error.code(), error.what() + std::string("; use --unit to take it as 1")));
}

template <Scalar T>
Spread time_solves(const Solver<T>& solver, const VectorBlock<T>& b, VectorBlock<T>& x, T alpha,
                   Index repeat) {
  Progress progress("solving");
  Index done = 0;
  const auto solve = [&](const Vectors<const T>& from, const Vectors<T>& to, void* stream) {
    progress.update(static_cast<double>(done++) / (repeat + 1));
    solver.solve(from, to, {.alpha = alpha, .stream = stream});
  };
  std::vector<double> seconds =
      bench::time_solves<T>(solver.report().backend, repeat, 1, b.vectors(), x.vectors(), solve);
  solver.check();
  return find_spread(std::move(seconds));
}

// Repeats analysis and setup as often as requested and keeps the medians.
template <Scalar T>
Solver<T> make_solver(const Solve& o, const Triangle<T>& t, Outcome& outcome) {
  std::vector<double> analysis_s, setup_s;
  std::optional<Solver<T>> solver;
  for (Index k = 0; k < o.setups; ++k) {
    solver.reset();
    const Stopwatch analysis_watch;
    const Analysis analysis = as_phase("analyzing", [&] { return Analysis(t, o.options); });
    analysis_s.push_back(analysis_watch.seconds());
    check_low_precision(o.options, analysis.report().method);
    const Stopwatch setup_watch;
    as_phase("setting up", [&] { solver.emplace(analysis, t); });
    setup_s.push_back(setup_watch.seconds());
  }
  outcome.analysis_s = find_spread(analysis_s).median;
  outcome.setup_s = find_spread(setup_s).median;
  return std::move(*solver);
}

template <Scalar T>
void run_phases(const Solve& o, const Triangle<T>& t, T alpha, const VectorBlock<T>& b,
                VectorBlock<T>& x, Outcome& outcome) {
  const Solver<T> solver = make_solver(o, t, outcome);
  outcome.solve = time_solves(solver, b, x, alpha, o.repeat);
  if (o.options.backend == Backend::cuda)
    outcome.profile = find_profile(o.repeat, [&] {
      return steps_of(solver.profile(b.vectors(), x.vectors(), {.alpha = alpha}));
    });
  outcome.plan = solver.report();
  outcome.setup = solver.report();
  std::ostringstream text;
  text << solver;
  outcome.plan_text = text.str();
}

template <Scalar T>
Outcome solve_with(const Solve& o, const SolveTask<T>& task) {
  Outcome outcome;
  const T alpha = parse_alpha<T>(o.alpha);
  outcome.read_s = task.read_s;
  const VectorBlock<T>& b = task.b;
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  const Triangle<T> t =
      triangle(CsrView<T>(task.a), uplo_of(task.part),
               {o.op, o.unit ? Diagonal::unit : Diagonal::stored, OutsideEntries::ignore});

  try {
    run_phases(o, t, alpha, b, x, outcome);
  } catch (const Error& error) {
    refuse(o, error);
  }
  outcome.nrhs = b.count;
  outcome.errors = as_phase("checking", [&] {
    return find_backward_errors<T>(t, alpha, b.vectors(), std::as_const(x).vectors());
  });
  outcome.traffic_bytes = static_cast<double>(outcome.setup.bytes) +
                          2.0 * static_cast<double>(x.value.size() * sizeof(T));
  if (!o.out.empty())
    as_phase("writing " + o.out, [&] { write_array<T>(o.out, std::as_const(x).vectors()); });
  return outcome;
}

void print_json(const Solve& o, Part part, const Outcome& r) {
  const double most = r.device ? r.device->copy_bandwidth : 0;
  print(begin_document("echelon", "solve")
            .set("input", o.input)
            .set("part", name(part))
            .set("n", r.plan.n)
            .set("nnz", r.plan.nnz)
            .set("levels", r.plan.levels)
            .set("average_parallelism", r.plan.average_parallelism)
            .set("method", name(r.plan.method))
            .set("reason", r.plan.reason)
            .set("backend", name(r.plan.backend))
            .set("threads", r.plan.threads)
            .set("vector_unit", to_json(r.plan.vector_unit))
            .set("supersteps", r.plan.supersteps)
            .set("predicted_speedup", r.plan.predicted_speedup)
            .set("op", name(o.op))
            .set("unit", o.unit)
            .set("nrhs", r.nrhs)
            .set("layout", o.layout == Layout::column_major ? "column" : "row")
            .set("alpha", o.alpha)
            .set("precision", name(o.precision))
            .set("deterministic", is_deterministic(r.plan.method))
            .set("read_s", r.read_s)
            .set("analysis_s", r.analysis_s)
            .set("setup_s", r.setup_s)
            .set("setups", o.setups)
            .add(solve_times(r.solve))
            .set("backward_error", r.errors.componentwise)
            .set("normwise_error", r.errors.normwise)
            .set("bytes", r.setup.bytes)
            .add(traffic(r.traffic_bytes, r.solve.median, most))
            .set("read_gb_per_s", positive_or_null(most / 1e9))
            .set("plan_bytes", r.plan.plan_bytes)
            .set("workspace_bytes", r.setup.workspace_bytes)
            .set("device_bytes", r.setup.device_bytes)
            .set("task_levels",
                 is_supernodal(r.plan.method) ? Json(r.plan.supernodes.task_levels) : Json())
            .set("uninverted_blocks", r.setup.uninverted_blocks)
            .set("launches", r.setup.launches)
            .set("device", to_json(r.device))
            .set("profile", to_json(r.profile))
            .set("out", or_null(o.out)));
}

void print_outcome(const Solve& o, const Input& input, Part part, const Outcome& r) {
  std::cout << o.input << " (" << input.description() << "), " << name(part) << " triangle"
            << (o.op == Op::none        ? ""
                : o.op == Op::transpose ? ", transposed"
                                        : ", conjugated")
            << (o.unit ? ", unit diagonal" : "") << '\n'
            << r.plan_text;
  print_fact(std::cout, "right-hand sides", std::to_string(r.nrhs) + " in " + name(o.precision));
  print_fact(std::cout, "solve",
             time_text(r.solve.median) + " (median of " + std::to_string(r.solve.repeats) +
                 ", from " + time_text(r.solve.least) + " to " + time_text(r.solve.most) + "), " +
                 digits(r.gigabytes_per_second()) + " GB/s");
  if (r.device) {
    print_fact(std::cout, "share of copy speed",
               digits(100 * r.bandwidth_share()) + " %, " + std::to_string(r.setup.launches) +
                   " launches");
    print_fact(std::cout, "steps, with copies", description(r.profile));
    print_fact(std::cout, "device", description(*r.device));
  }
  print_fact(std::cout, "backward error", digits(r.errors.componentwise));
  if (!o.out.empty()) print_fact(std::cout, "written to", o.out);
}

}  // namespace

template <Scalar T>
void solve_triangle(const Solve& o, const SolveTask<T>& task) {
  Outcome outcome = solve_with(o, task);
  outcome.device = find_device_facts(o.options.backend);
  if (o.json)
    print_json(o, task.part, outcome);
  else
    print_outcome(o, task.input, task.part, outcome);
}

template void solve_triangle(const Solve&, const SolveTask<float>&);
template void solve_triangle(const Solve&, const SolveTask<double>&);
template void solve_triangle(const Solve&, const SolveTask<std::complex<float>>&);
template void solve_triangle(const Solve&, const SolveTask<std::complex<double>>&);

}  // namespace echelon::cli
