// cli/solve.cpp -- echelon solve: one triangle of a matrix, solved, timed and checked.
// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <memory>
#include <sstream>

#include "backward_error.hpp"
#include "commands.hpp"
#include "echelon/io.hpp"
#include "echelon/solver.hpp"
#include "input.hpp"
#include "json.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "right_sides.hpp"
#include "table.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

struct Solve {
  std::string input;
  Uplo part = Uplo::lower;
  Op op = Op::none;
  bool unit = false;
  Index nrhs = 0;  // 0: as many as the right-hand sides' file has, or one
  Layout layout = Layout::column_major;
  std::string rhs = "ones";
  std::string out;
  Index repeat = 5;
  Precision precision = Precision::in_double;
  std::string alpha = "1";
  bool json = false;
  Options options;
};

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
  std::vector<double> seconds;
  Progress progress("solving");
  for (Index k = 0; k <= repeat; ++k) {
    const Stopwatch watch;
    solver.solve(b.vectors(), x.vectors(), {.alpha = alpha});
    if (k > 0) seconds.push_back(watch.seconds());  // the first one warms up
    progress.update(static_cast<double>(k) / repeat);
  }
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
  outcome.plan = solver.report();
  outcome.setup = solver.setup_report();
  std::ostringstream text;
  text << solver;
  outcome.plan_text = text.str();
}

template <Scalar T>
Outcome solve_with(const Solve& o, const Input& input, const RightSides& right_sides) {
  Outcome outcome;
  const T alpha = parse_alpha<T>(o.alpha);
  const Stopwatch read_watch;
  const Csr<T> a = read_input<T>(input);
  outcome.read_s = read_watch.seconds();
  const VectorBlock<T> b = make_right_sides<T>(right_sides, a.rows, o.nrhs, o.layout);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  const Triangle<T> t = triangle(CsrView<T>(a), o.part,
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

const char* name(Uplo part) { return part == Uplo::lower ? "lower" : "upper"; }

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
            .set("solve_s", r.solve.median)
            .set("solve_min_s", r.solve.least)
            .set("solve_max_s", r.solve.most)
            .set("repeats", r.solve.repeats)
            .set("backward_error", r.backward_error)
            .set("bytes", r.bytes)
            .set("gb_per_s", r.bytes / r.solve.median / 1e9)
            .set("plan_bytes", r.plan.plan_bytes)
            .set("workspace_bytes", r.setup.workspace_bytes));
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
                 "), " + digits(r.bytes / r.solve.median / 1e9) + " GB/s");
  print_fact(std::cout, "backward error", digits(r.backward_error));
  if (!o.out.empty()) print_fact(std::cout, "written to", o.out);
}

void run(const Solve& o) {
  check_solver_options(o.options);
  if (o.out.ends_with(".gz"))
    throw UsageError(o.out + ": compressed files are read, not written; leave out the .gz");
  const RightSides right_sides = parse_right_sides(o.rhs);
  const Input input = open_input(o.input);
  const bool is_complex_system =
      input.numbers() == Numbers::complex || right_sides.numbers == Numbers::complex;
  const Outcome outcome =
      with_scalar(o.precision, is_complex_system ? Numbers::complex : Numbers::real,
                  [&]<Scalar T>() { return solve_with<T>(o, input, right_sides); });
  if (o.json)
    print_json(o, outcome);
  else
    print_outcome(o, input, outcome);
}

}  // namespace

Command add_solve(CLI::App& program) {
  CLI::App* app = program.add_subcommand("solve", "solve with one triangle of a matrix");
  const auto o = std::make_shared<Solve>();
  app->add_option("INPUT", o->input, "a matrix file or a recipe")->required();
  add_part(*app, o->part);
  add_choice<Op>(*app, "--op", o->op, {{"n", Op::none}, {"t", Op::transpose}, {"h", Op::conjugate}},
                 "solve with the triangle, its transpose or its conjugate transpose [n]");
  app->add_flag("--unit", o->unit, "take the diagonal as 1 and read no entry of it");
  add_count(*app, "--nrhs", o->nrhs, {1, 1 << 20},
            "right-hand sides solved together [1, or as many as a file has]");
  add_choice<Layout>(*app, "--layout", o->layout,
                     {{"column", Layout::column_major}, {"row", Layout::row_major}},
                     "how several right-hand sides lie in memory [column]");
  app->add_option("--rhs", o->rhs, "ones, random:SEED or a file of vectors [ones]")
      ->type_name("WHAT");
  app->add_option("--alpha", o->alpha, "factor of the right-hand side; RE,IM if complex [1]")
      ->type_name("NUMBER");
  app->add_option("--out", o->out, "write the solution as a Matrix Market array")
      ->type_name("FILE");
  add_count(*app, "--repeat", o->repeat, {1, 1000000}, "timed solves, after one to warm up [5]");
  add_precision(*app, o->precision);
  add_json(*app, o->json);
  add_solver_options(*app, o->options);
  return {app, [o] { run(*o); }};
}

}  // namespace echelon::cli
