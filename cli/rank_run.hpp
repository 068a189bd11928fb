// cli/rank_run.hpp -- solve on several ranks: rank 0 reads and factors, all solve, rank 0 reports.
// SPDX-License-Identifier: BSD-3-Clause
//
// A Kind describes a solver and its program: the name `program`; types Solver<T>, Options and
// Report; Tally, which may take a report after each timed solve and returns the total; ranks_of,
// the part common to all reports; how and work, its own JSON members.
#pragma once

#include <iostream>
#include <optional>

#include "echelon/direct.hpp"
#include "echelon/factor_file.hpp"
#include "echelon/io.hpp"
#include "echelon/residual.hpp"
#include "input.hpp"
#include "machine.hpp"
#include "out_file.hpp"
#include "rank_solve.hpp"
#include "right_sides.hpp"

namespace echelon::cli {

template <class Kind>
struct RankOutcome {
  RankFacts facts;
  RankTimes times;
  typename Kind::Report report;
  Timeline timeline;  // on rank 0, if requested
};

// All timed solves with a solver that all ranks have constructed.
template <class Kind, Scalar T>
void solve_by(const RankSolve& o, const typename Kind::template Solver<T>& solver,
              const VectorBlock<T>& b, VectorBlock<T>& x, RankOutcome<Kind>& outcome) {
  const Phase phase = outcome.facts.phase;
  const auto solve = [&] {
    using echelon::Part;
    solver.solve(b.vectors(), x.vectors(),
                 {.part = phase == Phase::both    ? Part::full
                          : phase == Phase::lower ? Part::lower
                                                  : Part::upper});
  };
  RankPhase phase_shown("solving");
  solve();
  solver.report();  // resets the counters
  std::vector<double> seconds;
  typename Kind::Tally tally;
  for (Index k = 0; k < o.repeat; ++k) {
    phase_shown.update((k + 1.0) / (o.repeat + 1.0));
    MPI_Barrier(MPI_COMM_WORLD);
    const Stopwatch watch;
    solve();
    double mine = watch.seconds(), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    seconds.push_back(most);
    tally.after_one(solver);
  }
  outcome.times.nrhs = b.count;
  outcome.times.solve_s = find_spread(seconds);
  outcome.report = tally.after_all(solver, outcome.times);
  if constexpr (requires { solver.trace(solve); })
    if (!o.timeline.empty()) outcome.timeline = solver.trace(solve);
}

// Throws Stranded for backend_failed: the ranks are then no longer synchronized.
template <class Body>
auto or_strand(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::backend_failed) throw Stranded(error.what());
    throw;
  }
}

// Constructs a solver as often as requested, then runs all solves. make(place) fills a
// std::optional<Solver>.
template <class Kind, Scalar T, class Make>
void set_up_and_solve(const RankSolve& o, const Make& make, const VectorBlock<T>& b,
                      VectorBlock<T>& x, RankOutcome<Kind>& outcome) {
  or_strand([&] {
    std::optional<typename Kind::template Solver<T>> solver;
    std::vector<double> analysis_s, setup_s;
    for (Index k = 0; k < o.setups; ++k) {
      solver.reset();
      const RankPhase phase("analyzing and setting up");
      make(solver);
      const typename Kind::Report report = solver->report();
      analysis_s.push_back(Kind::ranks_of(report).analysis_s);
      setup_s.push_back(Kind::ranks_of(report).setup_s);
    }
    outcome.times.analysis_s = find_spread(analysis_s).median;
    outcome.times.setup_s = find_spread(setup_s).median;
    solve_by<Kind, T>(o, *solver, b, x, outcome);
  });
}

// Every rank reads its own part.
template <class Kind, Scalar T>
RankOutcome<Kind> solve_from_file(const RankSolve& o, const typename Kind::Options& options) {
  VectorBlock<T> b;
  on_root([&] {
    const Index n = FactorFile(o.input).n();
    b = make_right_sides<T>(parse_right_sides(o.rhs), n, o.nrhs, Layout::column_major);
  });
  MPI_Bcast(&b.count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  RankOutcome<Kind> outcome;
  outcome.facts.phase = o.system.phase;
  const auto make = [&](auto& solver) {
    solver.emplace(MPI_COMM_WORLD, open_factors<T>(o.input), options);
  };
  set_up_and_solve<Kind, T>(o, make, b, x, outcome);
  on_root([&] {
    if (!o.out.empty())
      as_phase("writing " + o.out, [&] { write_array<T>(o.out, std::as_const(x).vectors()); });
  });
  return outcome;
}

// The errors of A x = b, or of the triangle that was solved; none for one triangle of a
// factorization.
template <Scalar T>
void find_errors(const Csr<T>& a, const RankSystem<T>& system, const Vectors<const T>& x,
                 const Vectors<const T>& b, RankFacts& facts) {
  BackwardErrors errors;
  if (system.part != Part::full)
    errors = find_backward_errors<T>(
        triangle(CsrView<T>(a), uplo_of(system.part), {.outside = OutsideEntries::ignore}), T(1), b,
        x);
  else if (system.factored && system.phase == Phase::both)
    errors = find_backward_errors<T>(a, b, x);
  else
    return;
  facts.backward_error = errors.componentwise;
  facts.normwise_error = errors.normwise;
}

template <class Kind, Scalar T>
RankOutcome<Kind> solve_with(const RankSolve& o, const typename Kind::Options& options,
                             const Input& input) {
  Csr<T> a;
  VectorBlock<T> b;
  RankSystem<T> system;
  RankOutcome<Kind> outcome;
  RankFacts& facts = outcome.facts;
  on_root([&] {
    const Stopwatch watch;
    a = read_input<T>(input);
    facts.read_s = watch.seconds();
    b = make_right_sides<T>(parse_right_sides(o.rhs), a.rows, o.nrhs, Layout::column_major);
    system = make_system(o.system, a, o.input);
    facts.nonzeros = nonzeros_of(a.pattern(), system.part);
    facts.factor_reason = system.factor_reason;
    if (system.factored) {
      facts.order_s = system.factors.order_s;
      facts.factor_s = system.factors.factor_s;
    }
    let_threads_rest();
  });
  int known[3] = {b.count, static_cast<int>(system.part), static_cast<int>(system.phase)};
  MPI_Bcast(known, 3, MPI_INT, 0, MPI_COMM_WORLD);
  b.count = known[0];
  facts.part = static_cast<Part>(known[1]);
  facts.phase = static_cast<Phase>(known[2]);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  const auto make = [&](auto& solver) {
    solver.emplace(MPI_COMM_WORLD, this_rank() == 0 ? &system.factors : nullptr, options);
  };
  try {
    set_up_and_solve<Kind, T>(o, make, b, x, outcome);
  } catch (const Error& error) {
    if (!is_about_matrix(error.code())) throw;
    refuse_input(o.input, error);
  }
  on_root([&] {
    as_phase("checking",
             [&] { find_errors<T>(a, system, std::as_const(x).vectors(), b.vectors(), facts); });
    if (!o.out.empty())
      as_phase("writing " + o.out, [&] { write_array<T>(o.out, std::as_const(x).vectors()); });
  });
  return outcome;
}

// Collective.  Throws the same Error or UsageError on all ranks, or Stranded.
template <class Kind>
void run_rank_solve(RankSolve o, typename Kind::Options options, const CLI::App& app) {
  Input input;
  int kind[2] = {0, o.precision == Precision::in_float};  // complex, single
  check_rank_solve(o, app);
  parse_grid(o.grid, options.ranks.rows, options.ranks.cols);
  on_root([&] {
    check_out(o.out);
    if (o.from_file()) {
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
  const RankOutcome<Kind> outcome =
      with_scalar(o.precision, kind[0] != 0 ? Numbers::complex : Numbers::real, [&]<Scalar T>() {
        return o.from_file() ? solve_from_file<Kind, T>(o, options)
                             : solve_with<Kind, T>(o, options, input);
      });
  if (!o.timeline.empty()) on_root([&] { draw_timeline(o, outcome.facts, outcome.timeline); });
  if (this_rank() != 0) return;
  if (o.json) {
    print(begin_document(Kind::program, "solve")
              .add(to_json(o, outcome.facts, Kind::ranks_of(outcome.report), outcome.times,
                           Kind::how(outcome.report), Kind::work(outcome.report, outcome.times))));
  } else {
    print_system(o, outcome.facts);
    std::cout << outcome.report;
    print_times(o, outcome.facts, outcome.times);
  }
}

}  // namespace echelon::cli
