// cli/mpi_solve.cpp -- echelon-mpi solve: rank 0 reads and factors, all solve, rank 0 reports.
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_solve.hpp"

#include <iostream>
#include <limits>

#include "echelon/direct.hpp"
#include "echelon/factor_file.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "right_sides.hpp"
#include "timing.hpp"

namespace echelon::cli {

int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

namespace {

// "2x3"
void parse_grid(const std::string& text, MpiOptions& o) {
  if (text.empty()) return;
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) throw UsageError("--grid is ROWSxCOLUMNS, not '" + text + "'");
  o.rows = parse_count("--grid", text.substr(0, cross), 1, 1 << 20);
  o.cols = parse_count("--grid", text.substr(cross + 1), 1, 1 << 20);
}

// Runs body on rank 0; what it throws, all ranks throw.
template <class Body>
void on_root(const Body& body) {
  std::string text;
  int status = 0;  // 1: Error, 2: UsageError
  int code = 0;
  if (this_rank() == 0) try {
      body();
    } catch (const Error& error) {
      status = 1;
      code = static_cast<int>(error.code());
      text = error.what();
    } catch (const UsageError& error) {
      status = 2;
      text = error.what();
    }
  int head[3] = {status, code, static_cast<int>(text.size())};
  MPI_Bcast(head, 3, MPI_INT, 0, MPI_COMM_WORLD);
  if (head[0] == 0) return;
  text.resize(static_cast<std::size_t>(head[2]));
  MPI_Bcast(text.data(), head[2], MPI_CHAR, 0, MPI_COMM_WORLD);
  if (head[0] == 2) throw UsageError(text);
  throw Error(static_cast<ErrorCode>(head[1]), text);
}

// What is said of a run.
struct Outcome {
  Spread solve_s;  // of the slowest rank, each
  MpiReport report;
  double error = std::numeric_limits<double>::quiet_NaN();
  Index nrhs = 1;
};

Json spread_json(const echelon::Spread& s, double unit) {
  return Json::object()
      .set("min", s.least / unit)
      .set("mean", s.mean / unit)
      .set("max", s.most / unit);
}

void print_json(const MpiSolve& o, const Outcome& r) {
  const MpiReport& m = r.report;
  const double each = std::max<double>(1, static_cast<double>(m.solves) / r.nrhs);
  Json document = Json::object();
  document.set("command", "solve")
      .set("input", o.input)
      .set("part", name(o.part))
      .set("precision", name(o.precision))
      .set("n", m.n)
      .set("nrhs", r.nrhs)
      .set("ranks", m.ranks)
      .set("grid", std::to_string(m.grid.rows) + "x" + std::to_string(m.grid.cols))
      .set("engine", name(m.engine))
      .set("tree", name(m.tree))
      .set("mapping", name(m.mapping))
      .set("package", m.package)
      .set("kind", m.kind)
      .set("ordering", m.ordering)
      .set("blocks", m.supernodes)
      .set("levels", m.levels)
      .set("entries", m.entries)
      .set("kept_triangles", m.kept_triangles)
      .set("setup_s", m.setup_s)
      .set("stored_bytes", spread_json(m.stored_bytes, 1))
      .set("window_bytes", spread_json(m.window_bytes, 1))
      .set("solve_s", Json::object()
                          .set("repeats", r.solve_s.repeats)
                          .set("median", r.solve_s.median)
                          .set("min", r.solve_s.least)
                          .set("max", r.solve_s.most))
      .set("pass_s", spread_json(m.solve_s, each))
      .set("compute_s", spread_json(m.compute_s, each))
      .set("communicate_s", spread_json(m.communicate_s, each))
      .set("communication_share", m.communicate_s.mean / std::max(m.solve_s.mean, 1e-30))
      .set("messages", spread_json(m.messages, each))
      .set("message_bytes", spread_json(m.message_bytes, each))
      .set("componentwise_error", r.error)
      .set("machine", describe_machine())
      .set("date", date_now());
  print(document);
}

void print_report(const Outcome& r) {
  std::cout << r.report << "solve, wall: median " << r.solve_s.median * 1e3 << " ms of "
            << r.solve_s.repeats << ", least " << r.solve_s.least * 1e3 << "\n";
  if (r.error == r.error) std::cout << "componentwise backward error " << r.error << "\n";
}

template <Scalar T>
Spread time_solves(const MpiSolve& o, const MpiSolver<T>& solver, const VectorBlock<T>& b,
                   VectorBlock<T>& x) {
  const auto solve = [&] {
    if (o.part == Part::full)
      solver.solve(b.vectors(), x.vectors());
    else
      solver.solve(uplo_of(o.part), Op::none, b.vectors(), x.vectors());
  };
  solve();
  solver.report();  // counts begin here
  std::vector<double> seconds;
  for (Index k = 0; k < o.repeat; ++k) {
    MPI_Barrier(MPI_COMM_WORLD);
    const Stopwatch watch;
    solve();
    double mine = watch.seconds(), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    seconds.push_back(most);
  }
  return find_spread(seconds);
}

// With a solver that all ranks have made.
template <Scalar T>
Outcome solve_by(const MpiSolve& o, const MpiSolver<T>& solver, const VectorBlock<T>& b,
                 VectorBlock<T>& x) {
  Outcome outcome;
  outcome.nrhs = b.count;
  outcome.solve_s = time_solves(o, solver, b, x);
  outcome.report = solver.report();
  return outcome;
}

// What goes wrong between ranks that no longer wait for each other.
template <class Body>
Outcome or_strand(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::backend_failed) throw Stranded(error.what());
    throw;
  }
}

// Every rank reads its part.
template <Scalar T>
Outcome solve_from_file(const MpiSolve& o) {
  Index n = 0;
  VectorBlock<T> b;
  on_root([&] {
    n = FactorFile(o.input).n();
    b = make_right_sides<T>(parse_right_sides(o.rhs), n, o.nrhs, Layout::column_major);
  });
  MPI_Bcast(&b.count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  return or_strand([&] {
    const MpiSolver<T> solver(MPI_COMM_WORLD, open_factors<T>(o.input), nullptr, o.mpi);
    return solve_by(o, solver, b, x);
  });
}

template <Scalar T>
Outcome solve_with(const MpiSolve& o, const Input& input) {
  Csr<T> a;
  VectorBlock<T> b;
  Factored<T> factored;
  on_root([&] {
    a = read_input<T>(input);
    b = make_right_sides<T>(parse_right_sides(o.rhs), a.rows, o.nrhs, Layout::column_major);
    try {
      if (o.as_is)
        factored.factors =
            factors_of(lower(a, {.other = Other::ignore}), upper(a, {.other = Other::ignore}));
      else
        factored = factor_matrix(o.factor, a);
    } catch (const Error& error) {
      refuse_input(o.input, error);
    }
    let_threads_rest();
  });
  MPI_Bcast(&b.count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  Outcome outcome = or_strand([&] {
    const MpiSolver<T> solver(MPI_COMM_WORLD, this_rank() == 0 ? &factored.factors : nullptr,
                              o.mpi);
    return solve_by(o, solver, b, x);
  });
  if (this_rank() == 0 && o.part == Part::full && !o.as_is)
    outcome.error = componentwise_error<T>(a, std::as_const(x).vectors(), b.vectors());
  return outcome;
}

}  // namespace

CLI::App* add_mpi_solve(CLI::App& program, MpiSolve& solve) {
  CLI::App* const app =
      program.add_subcommand("solve", "factor on rank 0, solve on all ranks, time and check");
  app->add_option("INPUT", solve.input,
                  "a matrix file, a recipe such as elasticity3d:20, or what echelon factor wrote "
                  "(NAME.factors), of which each rank reads its part")
      ->required();
  app->add_flag("--as-is", solve.as_is, "do not factor: the matrix's own triangles are L and U");
  app->add_option("--grid", solve.grid, "ROWSxCOLUMNS of the ranks [chosen]");
  MpiOptions& m = solve.mpi;
  add_choice<Engine>(*app, "--engine", m.engine,
                     {{"payload", Engine::payload},
                      {"counter", Engine::counter},
                      {"two_sided", Engine::two_sided}},
                     "what carries messages [payload]");
  add_choice<TreeShape>(*app, "--tree", m.tree,
                        {{"binary", TreeShape::binary}, {"flat", TreeShape::flat}},
                        "trees of broadcasts and sums [binary]");
  add_choice<Mapping>(*app, "--mapping", m.mapping,
                      {{"subtree", Mapping::subtree}, {"cyclic", Mapping::cyclic}},
                      "how blocks are given to ranks [subtree]");
  add_count(*app, "--widest", m.widest, {1, 1 << 20},
            "columns of a block at most [128; 512 on one rank]");
  add_count(*app, "--together", m.together, {1, 16}, "right-hand sides of one pass [16]");
  app->add_option("--timeout", m.timeout_s, "seconds without a message until all give up [60]")
      ->check(CLI::NonNegativeNumber);
  add_choice<Part>(*app, "--part", solve.part,
                   {{"lower", Part::lower}, {"upper", Part::upper}, {"full", Part::full}},
                   "a triangle of the factorization, or all of it [full]");
  add_precision(*app, solve.precision);
  app->add_option("--rhs", solve.rhs, "ones, random:SEED or a file [ones]");
  add_count(*app, "--nrhs", solve.nrhs, {1, 1 << 20}, "right-hand sides [1, or those of the file]");
  add_count(*app, "--repeat", solve.repeat, {1, 1 << 30}, "timed solves [10]");
  add_json(*app, solve.json);
  add_factor_flags(*app, solve.factor);
  return app;
}

void run_mpi_solve(const MpiSolve& given) {
  MpiSolve o = given;
  Input input;
  const bool from_file = o.input.ends_with(".factors");
  int kind[2] = {0, o.precision == Precision::in_float};  // complex, single
  parse_grid(o.grid, o.mpi);
  on_root([&] {
    if (from_file) {
      const ScalarKind scalar = FactorFile(o.input).scalar();
      kind[0] = scalar == ScalarKind::complex_single || scalar == ScalarKind::complex_double;
      kind[1] = scalar == ScalarKind::real_single || scalar == ScalarKind::complex_single;
      return;
    }
    input = open_input(o.input);
    kind[0] =
        input.numbers() == Numbers::complex || parse_right_sides(o.rhs).numbers == Numbers::complex;
  });
  MPI_Bcast(kind, 2, MPI_INT, 0, MPI_COMM_WORLD);
  o.precision = kind[1] != 0 ? Precision::in_float : Precision::in_double;
  const Outcome outcome = with_scalar(
      o.precision, kind[0] != 0 ? Numbers::complex : Numbers::real,
      [&]<Scalar T>() { return from_file ? solve_from_file<T>(o) : solve_with<T>(o, input); });
  if (this_rank() != 0) return;
  if (o.json)
    print_json(o, outcome);
  else
    print_report(outcome);
}

}  // namespace echelon::cli
