// cli/smooth.cpp -- echelon smooth: Gauss-Seidel sweeps on a matrix, with times and residuals.
// SPDX-License-Identifier: BSD-3-Clause
#include "smooth.hpp"

#include <iostream>
#include <memory>
#include <sstream>

#include "commands.hpp"
#include "device_facts.hpp"
#include "echelon/device.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "report_members.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

// The result, without x.
struct Outcome {
  SmootherReport plan;
  GaussSeidelReport setup;
  std::string plan_text;
  Index nrhs = 1;
  double read_s = 0;
  double analysis_s = 0;
  double setup_s = 0;
  Spread solve;
  std::vector<double> before, after;  // residual norms, one per right-hand side
  double traffic_bytes = 0;
  std::optional<DeviceFacts> device = std::nullopt;  // with backend cuda

  double bandwidth_share() const { return traffic_bytes / solve.median / device->copy_bandwidth; }
  double gflops(Index sweeps) const { return plan.flops() * sweeps * nrhs / solve.median / 1e9; }
};

// The largest ratio of all right-hand sides; 0 where the first residual is 0.
double reduction(const Outcome& r) {
  double most = 0;
  for (std::size_t c = 0; c < r.before.size(); ++c)
    if (r.before[c] > 0) most = std::max(most, r.after[c] / r.before[c]);
  return most;
}

// With device vectors, by device events. x continues from its last value, since the time of a sweep
// does not depend on x; the x that is kept is from a last call with host vectors.
template <Scalar T>
Spread time_sweeps_there(const Smooth& o, const GaussSeidel<T>& smoother, const VectorBlock<T>& b,
                         VectorBlock<T>& x) {
  const DeviceVector<T> given{std::span<const T>(b.value)}, swept{std::span<const T>(x.value)};
  const auto sweep = [&](void* stream) {
    smoother.solve(Vectors<const T>(given.data(), b.n, b.count, 0, b.layout),
                   Vectors<T>(swept.data(), x.n, x.count, 0, x.layout), o.sweep_options(stream));
  };
  std::vector<double> seconds = time_on_device(o.repeat, 1, sweep);
  smoother.solve(b.vectors(), x.vectors(), o.sweep_options());
  return find_spread(std::move(seconds));
}

// Every call starts from the guess; copying it is not timed.
template <Scalar T>
Spread time_sweeps(const Smooth& o, const GaussSeidel<T>& smoother, const VectorBlock<T>& b,
                   VectorBlock<T>& x) {
  Progress progress("sweeping");
  const Buffer<T> guess = x.value;
  std::vector<double> seconds;
  for (Index k = 0; k <= o.repeat; ++k) {
    progress.update(static_cast<double>(k) / (o.repeat + 1));
    x.value = guess;
    const Stopwatch watch;
    smoother.solve(b.vectors(), x.vectors(), o.sweep_options());
    if (k > 0) seconds.push_back(watch.seconds());
  }
  return find_spread(std::move(seconds));
}

// Repeats analysis and setup as often as requested and keeps the medians.
template <Scalar T>
GaussSeidel<T> make_smoother(const Smooth& o, const SmoothTask<T>& task, Outcome& outcome) {
  std::vector<double> analysis_s, setup_s;
  std::optional<GaussSeidel<T>> smoother;
  for (Index k = 0; k < o.setups; ++k) {
    smoother.reset();
    const Stopwatch analysis_watch;
    const SmootherAnalysis analysis =
        as_phase("analyzing", [&] { return SmootherAnalysis(task.a.pattern(), o.options); });
    analysis_s.push_back(analysis_watch.seconds());
    check_low_precision(o.options.solver, analysis.report().triangles.front().method);
    const Stopwatch setup_watch;
    as_phase("setting up", [&] { smoother.emplace(analysis, task.a.value); });
    setup_s.push_back(setup_watch.seconds());
  }
  outcome.analysis_s = find_spread(analysis_s).median;
  outcome.setup_s = find_spread(setup_s).median;
  return std::move(*smoother);
}

template <Scalar T>
void run_phases(const Smooth& o, SmoothTask<T>& task, Outcome& outcome) {
  const GaussSeidel<T> smoother = make_smoother(o, task, outcome);
  const auto norms = [&] {
    return smoother.residual_norms(std::as_const(task.b).vectors(),
                                   std::as_const(task.x).vectors());
  };
  outcome.before = norms();
  outcome.solve =
      (o.on_device() ? time_sweeps_there<T> : time_sweeps<T>)(o, smoother, task.b, task.x);
  outcome.after = norms();
  outcome.plan = smoother.report();
  outcome.setup = smoother.report();
  std::ostringstream text;
  text << smoother;
  outcome.plan_text = text.str();
}

void print_json(const Smooth& o, const Outcome& r) {
  const double most = r.device ? r.device->copy_bandwidth : 0;
  const AnalysisReport& first = r.plan.triangles.front();
  const auto array = [](const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push(value);
    return list;
  };
  print(begin_document("echelon", "smooth")
            .set("input", o.input)
            .set("n", r.plan.n)
            .set("nnz", r.plan.nnz)
            .set("symmetric_pattern", r.plan.form == SweepForm::row && !r.device
                                          ? Json(r.plan.symmetric_pattern)
                                          : Json())
            .set("direction", name(r.plan.direction))
            .set("sweeps", o.sweeps)
            .set("omega", o.options.omega)
            .set("form", name(r.plan.form))
            .set("reason", r.plan.reason)
            .set("vectors", r.plan.vectors)
            .set("levels", r.plan.levels())
            .set("method", name(first.method))
            .set("backend", name(first.backend))
            .set("threads", first.threads)
            .set("nrhs", r.nrhs)
            .set("layout", o.layout == Layout::column_major ? "column" : "row")
            .set("guess", o.from_zero ? "zero, not read" : o.guess)
            .set("precision", name(o.precision))
            .set("deterministic", is_deterministic(first.method))
            .set("read_s", r.read_s)
            .set("analysis_s", r.analysis_s)
            .set("setup_s", r.setup_s)
            .set("setups", o.setups)
            .add(solve_times(r.solve))
            .set("sweep_s", r.solve.median / std::max<Index>(o.sweeps, 1))
            .set("flops", r.plan.flops() * o.sweeps * r.nrhs)
            .set("gflops", r.gflops(o.sweeps))
            .set("bytes", r.setup.bytes)
            .add(traffic(r.traffic_bytes, r.solve.median, most))
            .set("read_gb_per_s", positive_or_null(most / 1e9))
            .set("plan_bytes", r.plan.plan_bytes)
            .set("workspace_bytes", r.setup.workspace_bytes)
            .set("residual_before", array(r.before))
            .set("residual_after", array(r.after))
            .set("reduction", reduction(r))
            .set("device", to_json(r.device))
            .set("out", or_null(o.out)));
}

void print_outcome(const Smooth& o, const Input& input, const Outcome& r) {
  std::cout << o.input << " (" << input.description() << ")\n" << r.plan_text;
  print_fact(std::cout, "right-hand sides", std::to_string(r.nrhs) + " in " + name(o.precision));
  print_fact(std::cout, std::to_string(o.sweeps) + (o.sweeps == 1 ? " sweep" : " sweeps"),
             time_text(r.solve.median) + " (median of " + std::to_string(r.solve.repeats) +
                 ", from " + time_text(r.solve.least) + " to " + time_text(r.solve.most) + "), " +
                 digits(r.gflops(o.sweeps)) + " GFLOPS");
  if (r.device) {
    print_fact(std::cout, "share of copy speed", digits(100 * r.bandwidth_share()) + " %");
    print_fact(std::cout, "device", description(*r.device));
  }
  for (std::size_t c = 0; c < std::min<std::size_t>(r.before.size(), 8); ++c)
    print_fact(std::cout, "residual",
               digits(r.before[c], 4) + " before, " + digits(r.after[c], 4) + " after");
  if (!o.out.empty()) print_fact(std::cout, "written to", o.out);
}

template <Scalar T>
SmoothTask<T> make_task(const Smooth& o, const Input& input, const RightSides& rhs,
                        const RightSides& guess) {
  Csr<T> a = read_input<T>(input);
  VectorBlock<T> b = make_right_sides<T>(rhs, a.rows, o.nrhs, o.layout);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  if (o.guess != "zeros") x = make_right_sides<T>(guess, a.rows, b.count, o.layout);
  return {std::move(a), std::move(b), std::move(x)};
}

template <Scalar T>
void smooth_with(const Smooth& o, const Input& input, const RightSides& rhs,
                 const RightSides& guess) {
  Outcome outcome;
  const Stopwatch read_watch;
  SmoothTask<T> task = make_task<T>(o, input, rhs, guess);
  outcome.read_s = read_watch.seconds();
  try {
    if (o.compare) return compare_sweeps(o, task);
    run_phases(o, task, outcome);
  } catch (const Error& error) {
    refuse_input(o.input, error);
  }
  outcome.nrhs = task.b.count;
  outcome.traffic_bytes = static_cast<double>(outcome.setup.bytes) * o.sweeps +
                          2.0 * static_cast<double>(task.x.value.size() * sizeof(T));
  outcome.device = find_device_facts(o.options.solver.backend);
  if (!o.out.empty())
    as_phase("writing " + o.out, [&] { write_array<T>(o.out, std::as_const(task.x).vectors()); });
  o.json ? print_json(o, outcome) : print_outcome(o, input, outcome);
}

// An analysis of an empty matrix checks the options before a matrix is read.
void check_flags(const Smooth& o, const CLI::App& app) {
  if (o.from_zero && app.get_option("--guess")->count() > 0)
    throw UsageError("--from-zero does not go with --guess");
  if (o.compare && (o.nrhs > 1 || o.setups > 1))
    throw UsageError("--compare takes one right-hand side and times sweeps only");
  if (!o.methods.empty() && !(o.compare && o.on_device()))
    throw UsageError("--methods needs --compare and --backend cuda");
  if (!o.compare && app.get_option("--commit")->count() > 0)
    throw UsageError("--commit needs --compare");
  check_out(o.out);
  const std::array<Offset, 1> start{0};
  try {
    const SmootherAnalysis nothing({Order::rows, 0, 0, start, {}}, o.options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_argument) throw;
    throw UsageError(error.what());
  }
}

void run(const Smooth& o, const CLI::App& app) {
  check_flags(o, app);
  const DeviceScope there(o.options.solver.device());
  const RightSides rhs = parse_right_sides(o.rhs);
  const RightSides guess = o.guess == "zeros" ? RightSides{} : parse_right_sides(o.guess);
  const Input input = open_input(o.input);
  const auto is_complex_one = [](Numbers n) { return n == Numbers::complex; };
  const bool any = is_complex_one(input.numbers()) || is_complex_one(rhs.numbers) ||
                   is_complex_one(guess.numbers);
  with_scalar(o.precision, any ? Numbers::complex : Numbers::real,
              [&]<Scalar T>() { smooth_with<T>(o, input, rhs, guess); });
}

}  // namespace

Command add_smooth(CLI::App& program) {
  CLI::App* app = program.add_subcommand("smooth", "Gauss-Seidel and SOR sweeps with a matrix");
  const auto o = std::make_shared<Smooth>();
  app->add_option("INPUT", o->input, "a matrix file or a recipe")->required();
  add_count(*app, "--sweeps", o->sweeps, {1, 1000000}, "sweeps per call [1]");
  add_choice(*app, "--direction", o->options.direction,
             "order of the unknowns: rising, falling, or first rising then falling [symmetric]");
  app->add_option_function<std::string>(
         "--omega",
         [o](const std::string& text) { o->options.omega = parse_number("--omega", text); },
         "relaxation factor, between 0 and 2 [1]")
      ->type_name("NUMBER");
  add_choice(*app, "--form", o->options.form,
             "gather rows, or residual and triangular solve [automatic]");
  app->add_option("--rhs", o->rhs, "ones, random:SEED or a file of vectors [ones]")
      ->type_name("WHAT");
  app->add_option("--guess", o->guess, "zeros, ones, random:SEED or a file of vectors [zeros]")
      ->type_name("WHAT");
  app->add_flag("--from-zero", o->from_zero,
                "start from zero without reading x: the first pass reads one triangle only");
  add_nrhs(*app, o->nrhs);
  add_choice(*app, "--layout", o->layout, "storage of several right-hand sides [column]");
  add_out(*app, o->out, "write x as a Matrix Market array; with --compare, the JSON document");
  add_repeat(*app, o->repeat);
  add_setups(*app, o->setups);
  add_precision(*app, o->precision);
  app->add_flag("--compare", o->compare,
                "time it against plain loops on one thread; on a GPU, several methods");
  app->add_option("--methods", o->methods,
                  "with --compare on a GPU: the methods to time [that of --method]")
      ->type_name("LIST");
  app->add_option("--commit", o->commit,
                  "with --compare: version of the code, recorded in the document")
      ->type_name("TEXT");
  add_json(*app, o->json);
  add_solver_options(*app, o->options.solver);
  return {app, [o, app] { run(*o, *app); }};
}

}  // namespace echelon::cli
