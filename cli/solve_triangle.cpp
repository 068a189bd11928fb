// cli/solve_triangle.cpp -- echelon solve with one triangle of a matrix: solved, timed and checked.
// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <sstream>
#include <support/timed_solve.hpp>

#include "backward_error.hpp"
#include "device_facts.hpp"
#include "echelon/io.hpp"
#include "echelon/solver.hpp"
#include "json.hpp"
#include "profile.hpp"
#include "progress.hpp"
#include "report_members.hpp"
#include "solve.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

// What came of it, apart from the numbers themselves.
struct Outcome {
  AnalysisReport plan;
  SetupReport setup;
  std::string plan_text;
  Index nrhs = 1;
  double read_s = 0;
  double analyze_s = 0;
  double setup_s = 0;
  Spread solve;
  double backward_error = 0;
  double bytes = 0;
  std::optional<DeviceFacts> device = std::nullopt;  // of backend cuda
  Profile profile = {};                              // likewise, of a solve with the host's vectors

  double gigabytes_per_second() const { return bytes / solve.median / 1e9; }
  double bandwidth_share() const { return 1e9 * gigabytes_per_second() / device->copy_bandwidth; }
};

// "2" or, for complex numbers, "2,-1".
template <Scalar T>
T parse_alpha(const std::string& text) {
  const std::vector<std::string> parts = split_list("--alpha", text);
  if (parts.size() > (is_complex<T> ? 2 : 1))
    throw UsageError(std::string("--alpha is ") +
                     (is_complex<T> ? "a number or two" : "one number, as the matrix is real") +
                     ", not '" + text + "'");
  const auto part = [&](std::size_t k) {
    return static_cast<Real<T>>(parse_number("--alpha", parts[k]));
  };
  if constexpr (is_complex<T>)
    return {part(0), parts.size() > 1 ? part(1) : 0};
  else
    return part(0);
}

// Says which input it was, and what helps.
[[noreturn]] void refuse(const Solve& o, const Error& error) {
  std::string text = o.input + ": " + error.what();
  if (error.code() == ErrorCode::zero_diagonal) text += "; use --unit to take it as 1";
  throw Error(error.code(), text);
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

template <Scalar T>
void run_phases(const Solve& o, const Triangle<T>& t, T alpha, const VectorBlock<T>& b,
                VectorBlock<T>& x, Outcome& outcome) {
  const Stopwatch analyze_watch;
  const Analysis analysis(t, o.options);
  outcome.analyze_s = analyze_watch.seconds();
  const Stopwatch setup_watch;
  const Solver<T> solver(analysis, t);
  outcome.setup_s = setup_watch.seconds();
  outcome.solve = time_solves(solver, b, x, alpha, o.repeat);
  if (o.options.backend == Backend::cuda)
    outcome.profile = find_profile(o.repeat, [&] {
      return steps_of(solver.profile(b.vectors(), x.vectors(), {.alpha = alpha}));
    });
  outcome.plan = solver.report();
  outcome.setup = solver.setup_report();
  std::ostringstream text;
  text << solver;
  outcome.plan_text = text.str();
}

template <Scalar T>
Outcome solve_with(const Solve& o, const SolveInput& in) {
  Outcome outcome;
  const T alpha = parse_alpha<T>(o.alpha);
  const Stopwatch read_watch;
  const Csr<T> a = read_input<T>(in.matrix);
  outcome.read_s = read_watch.seconds();
  const VectorBlock<T> b = make_right_sides<T>(in.right_sides, a.rows, o.nrhs, o.layout);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  const Triangle<T> t = triangle(CsrView<T>(a), uplo_of(o.part),
                                 {o.op, o.unit ? Diagonal::unit : Diagonal::stored, Other::ignore});

  try {
    run_phases(o, t, alpha, b, x, outcome);
  } catch (const Error& error) {
    refuse(o, error);
  }
  outcome.nrhs = b.count;
  outcome.backward_error =
      find_backward_error<T>(t, alpha, b.vectors(), std::as_const(x).vectors());
  outcome.bytes = static_cast<double>(outcome.setup.matrix_bytes) +
                  2.0 * static_cast<double>(x.value.size() * sizeof(T));
  if (!o.out.empty()) write_array<T>(o.out, std::as_const(x).vectors());
  return outcome;
}

const char* name(Op op) { return op == Op::none ? "n" : op == Op::transpose ? "t" : "h"; }

void print_json(const Solve& o, const Outcome& r) {
  print(Json::object()
            .set("input", o.input)
            .set("part", name(o.part))
            .set("n", r.plan.n)
            .set("nnz", r.plan.nonzeros)
            .set("levels", r.plan.levels)
            .set("average_parallelism", r.plan.average_parallelism)
            .set("method", name(r.plan.method))
            .set("reason", r.plan.reason)
            .set("backend", name(r.plan.backend))
            .set("threads", r.plan.threads)
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
            .set("analyze_s", r.analyze_s)
            .set("setup_s", r.setup_s)
            .add(solve_times(r.solve))
            .set("repeats", r.solve.repeats)
            .set("backward_error", r.backward_error)
            .set("bytes", r.bytes)
            .set("gb_per_s", r.gigabytes_per_second())
            .set("bandwidth_share", r.device ? Json(r.bandwidth_share()) : Json())
            .set("plan_bytes", r.plan.plan_bytes)
            .set("workspace_bytes", r.setup.workspace_bytes)
            .set("task_levels",
                 is_supernodal(r.plan.method) ? Json(r.plan.supernodes.task_levels) : Json())
            .set("launches", r.setup.launches)
            .set("device", to_json(r.device))
            .set("profile", to_json(r.profile)));
}

void print_outcome(const Solve& o, const Input& input, const Outcome& r) {
  std::cout << o.input << " (" << input.description() << "), " << name(o.part) << " triangle"
            << (o.op == Op::none        ? ""
                : o.op == Op::transpose ? ", transposed"
                                        : ", conjugated")
            << (o.unit ? ", unit diagonal" : "") << '\n'
            << r.plan_text;
  print_fact(std::cout, "right-hand sides", std::to_string(r.nrhs) + " in " + name(o.precision));
  print_fact(std::cout, "solve",
             milliseconds(r.solve.median) + " (median of " + std::to_string(r.solve.repeats) +
                 ", from " + digits(r.solve.least * 1e3) + " to " + digits(r.solve.most * 1e3) +
                 "), " + digits(r.gigabytes_per_second()) + " GB/s");
  if (r.device) {
    print_fact(std::cout, "of a copy's bandwidth",
               digits(100 * r.bandwidth_share()) + " %, " + std::to_string(r.setup.launches) +
                   " launches");
    print_fact(std::cout, "steps, with copies", description(r.profile));
    print_fact(std::cout, "device", description(*r.device));
  }
  print_fact(std::cout, "backward error", digits(r.backward_error));
  if (!o.out.empty()) print_fact(std::cout, "written to", o.out);
}

}  // namespace

void solve_triangle(const Solve& o, const SolveInput& in) {
  Outcome outcome =
      with_scalar(o.precision, in.numbers, [&]<Scalar T>() { return solve_with<T>(o, in); });
  outcome.device = find_device_facts(o.options.backend);
  if (o.json)
    print_json(o, outcome);
  else
    print_outcome(o, in.matrix, outcome);
}

}  // namespace echelon::cli
