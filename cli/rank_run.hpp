// cli/rank_run.hpp -- solve on many ranks: rank 0 reads and factors, all solve, rank 0 reports.
// SPDX-License-Identifier: BSD-3-Clause
//
// A Kind is a solver and what its program says besides: types Solver<T>, Options and Report; Tally,
// which may take a report after each timed solve and gives that of all; ranks_of, what all reports
// have; how and work, what JSON says of this one.
#pragma once

#include <iostream>

#include "echelon/direct.hpp"
#include "echelon/factor_file.hpp"
#include "input.hpp"
#include "rank_solve.hpp"
#include "right_sides.hpp"

namespace echelon::cli {

template <class Kind>
struct RankOutcome {
  RankTimes times;
  typename Kind::Report report;
  Timeline timeline;  // of rank 0, if asked for
};

// All timed solves with a solver that all ranks have made.
template <class Kind, Scalar T>
RankOutcome<Kind> solve_by(const RankSolve& o, const typename Kind::template Solver<T>& solver,
                           const VectorBlock<T>& b, VectorBlock<T>& x) {
  const auto solve = [&] {
    if (o.part == Part::full)
      solver.solve(b.vectors(), x.vectors());
    else
      solver.solve(uplo_of(o.part), Op::none, b.vectors(), x.vectors());
  };
  solve();
  solver.report();  // counts begin here
  std::vector<double> seconds;
  typename Kind::Tally tally;
  for (Index k = 0; k < o.repeat; ++k) {
    MPI_Barrier(MPI_COMM_WORLD);
    const Stopwatch watch;
    solve();
    double mine = watch.seconds(), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    seconds.push_back(most);
    tally.after_one(solver);
  }
  RankOutcome<Kind> outcome;
  outcome.times.nrhs = b.count;
  outcome.times.solve_s = find_spread(seconds);
  outcome.report = tally.after_all(solver, outcome.times);
  if constexpr (requires { solver.trace(solve); })
    if (!o.timeline.empty()) outcome.timeline = solver.trace(solve);
  return outcome;
}

// What goes wrong between ranks that no longer wait for each other.
template <class Body>
auto or_strand(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::backend_failed) throw Stranded(error.what());
    throw;
  }
}

// Every rank reads its part.
template <class Kind, Scalar T>
RankOutcome<Kind> solve_from_file(const RankSolve& o, const typename Kind::Options& options) {
  Index n = 0;
  VectorBlock<T> b;
  on_root([&] {
    n = FactorFile(o.input).n();
    b = make_right_sides<T>(parse_right_sides(o.rhs), n, o.nrhs, Layout::column_major);
  });
  MPI_Bcast(&b.count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  return or_strand([&] {
    const typename Kind::template Solver<T> solver(MPI_COMM_WORLD, open_factors<T>(o.input),
                                                   nullptr, options);
    return solve_by<Kind, T>(o, solver, b, x);
  });
}

template <class Kind, Scalar T>
RankOutcome<Kind> solve_with(const RankSolve& o, const typename Kind::Options& options,
                             const Input& input) {
  Csr<T> a;
  VectorBlock<T> b;
  Factors<T> factors;
  on_root([&] {
    a = read_input<T>(input);
    b = make_right_sides<T>(parse_right_sides(o.rhs), a.rows, o.nrhs, Layout::column_major);
    factors = make_factors(o.factor, o.as_is, a, o.input);
    let_threads_rest();
  });
  MPI_Bcast(&b.count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  RankOutcome<Kind> outcome = or_strand([&] {
    const typename Kind::template Solver<T> solver(MPI_COMM_WORLD,
                                                   this_rank() == 0 ? &factors : nullptr, options);
    return solve_by<Kind, T>(o, solver, b, x);
  });
  if (this_rank() == 0 && o.part == Part::full && !o.as_is)
    outcome.times.error = componentwise_error<T>(a, std::as_const(x).vectors(), b.vectors());
  return outcome;
}

// Collective.  Throws the same on all ranks: Error, UsageError; or Stranded.
template <class Kind>
void run_rank_solve(RankSolve o, typename Kind::Options options) {
  Input input;
  int kind[2] = {0, o.precision == Precision::in_float};  // complex, single
  parse_grid(o.grid, options.rows, options.cols);
  check_timeline(o);
  on_root([&] {
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
  if (!o.timeline.empty()) on_root([&] { draw_timeline(o, outcome.timeline); });
  if (this_rank() != 0) return;
  if (o.json) {
    print_json(o, Kind::ranks_of(outcome.report), outcome.times, Kind::how(outcome.report),
               Kind::work(outcome.report, outcome.times));
  } else {
    std::cout << outcome.report;
    print_times(outcome.times);
  }
}

}  // namespace echelon::cli
