// cli/solve_full.cpp -- echelon solve with the whole matrix: factors, sets up, solves, refines,
// times and checks.
// SPDX-License-Identifier: BSD-3-Clause
#include <support/timed_solve.hpp>
#include <type_traits>

#include "echelon/io.hpp"
#include "echelon/tools/calibrate.hpp"
#include "full_report.hpp"
#include "progress.hpp"
#include "solve.hpp"

namespace echelon::cli {
namespace {

// Times solves with L (b to y), with U (y to x), and of A x = b, which leaves its solution in x.
template <Scalar T>
void time_solves(const Solve& o, const DirectSolver<T>& solver, const VectorBlock<T>& b,
                 VectorBlock<T>& x, FullOutcome& outcome) {
  Progress progress("solving");
  let_threads_rest();  // threads of the factorization
  VectorBlock<T> y{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  const auto time = [&](const VectorBlock<T>& from, VectorBlock<T>& to,
                        const bench::SolveCall<T>& call) {
    return find_spread(
        bench::time_solves<T>(o.options.backend, o.repeat, 1, from.vectors(), to.vectors(), call));
  };
  outcome.lower = time(b, y, [&](const auto& from, const auto& to, void* stream) {
    solver.solve(from, to, {.part = echelon::Part::lower, .stream = stream});
  });
  progress.update(0.33);
  outcome.upper = time(y, x, [&](const auto& from, const auto& to, void* stream) {
    solver.solve(from, to, {.part = echelon::Part::upper, .stream = stream});
  });
  progress.update(0.67);
  outcome.solve = time(b, x, [&](const auto& from, const auto& to, void* stream) {
    solver.solve(from, to, {.stream = stream});
  });
  solver.check();
  if (o.options.backend == Backend::cuda)
    outcome.profile =
        find_profile(o.repeat, [&] { return steps_of(solver.profile(b.vectors(), x.vectors())); });
}

// Constructs a solver as often as requested; its report has the median times.
template <Scalar T>
DirectSolver<T> make_solver(const Solve& o, Factors<T>&& factors, DirectReport& report) {
  std::vector<double> analysis, setup;
  const auto note = [&](const DirectSolver<T>& solver) {
    analysis.push_back(solver.report().analysis_s);
    setup.push_back(solver.report().setup_s);
  };
  for (Index k = 1; k < o.setups; ++k) {
    const Progress progress("analyzing and setting up, " + std::to_string(k) + " of " +
                            std::to_string(o.setups));
    note(DirectSolver<T>(Factors<T>(factors), o.options));
  }
  DirectSolver<T> solver = as_phase("analyzing and setting up",
                                    [&] { return DirectSolver<T>(std::move(factors), o.options); });
  note(solver);
  report = solver.report();
  report.analysis_s = find_spread(analysis).median;
  report.setup_s = find_spread(setup).median;
  return solver;
}

template <Scalar T>
void solve_with_factors(const Solve& o, const Csr<T>& a, Factors<T>&& factors,
                        const VectorBlock<T>& b, VectorBlock<T>& x, FullOutcome& outcome) {
  const DirectSolver<T> solver = make_solver(o, std::move(factors), outcome.report);
  time_solves(o, solver, b, x, outcome);
  if (!o.refinement.is_on) return;
  const Stopwatch watch;
  outcome.refine = as_phase(
      "refining", [&] { return solver.solve(a, b.vectors(), x.vectors(), o.refinement.options); });
  outcome.refine_s = watch.seconds();
}

// Bytes of the exact nonzeros, without indices: the least that a solve must read.
template <Scalar T>
double value_bytes(const FullOutcome& r, Offset nonzeros) {
  const bool halved = r.report.low_precision && std::is_same_v<Real<T>, double>;
  return static_cast<double>(nonzeros) * sizeof(T) / (halved ? 2 : 1);
}

template <Scalar T>
void find_ratios(const Csr<T>& a, FullOutcome& r) {
  const DirectReport& d = r.report;
  const auto entries = static_cast<double>(a.nonzeros());
  r.fill_ratio = static_cast<double>(d.lower.nonzeros + d.upper.nonzeros - a.rows) / entries;
  r.stored_ratio =
      static_cast<double>(d.lower.stored + (d.symmetric_storage ? 0 : d.upper.stored)) / entries;
  r.lower_nonzero_bytes = value_bytes<T>(r, d.lower.nonzeros);
  r.upper_nonzero_bytes = value_bytes<T>(r, d.upper.nonzeros);
}

// Factors that automatic chose may need refinement for a backward error of rounding.
template <Scalar T>
void follow_advice(const Factors<T>& factors, Refinement& refinement) {
  if (refinement.given || factors.refine_steps == 0) return;
  refinement.is_on = true;
  refinement.options = {.steps = factors.refine_steps, .stop_when_stalled = false};
  refinement.text = "fixed:" + std::to_string(factors.refine_steps);
}

template <Scalar T>
FullOutcome solve_with(Solve& o, const SolveTask<T>& task) {
  FullOutcome outcome;
  const Csr<T>& a = task.a;
  const VectorBlock<T>& b = task.b;
  outcome.read_s = task.read_s;
  VectorBlock<T> x{b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
  FactorRequest request = o.factor.solved_on(o.options.backend);
  if (request.options.threads == 0) request.options.threads = o.options.cpu.threads;
  try {
    Factored<T> factored = factor_matrix(request, a);
    outcome.factor_reason = factored.reason;
    outcome.order_s = factored.factors.order_s;
    outcome.factor_s = factored.factors.factor_s;
    follow_advice(factored.factors, o.refinement);
    solve_with_factors(o, a, std::move(factored.factors), b, x, outcome);
  } catch (const Error& error) {
    refuse_input(o.input, error);
  }
  outcome.nonzeros = a.nonzeros();
  outcome.nrhs = b.count;
  outcome.vector_bytes = 2.0 * static_cast<double>(x.value.size() * sizeof(T));
  find_ratios(a, outcome);
  const BackwardErrors errors = as_phase("checking", [&] {
    return find_backward_errors<T>(a, b.vectors(), std::as_const(x).vectors());
  });
  outcome.componentwise_error = errors.componentwise;
  outcome.normwise_error = errors.normwise;
  if (!o.out.empty())
    as_phase("writing " + o.out, [&] { write_array<T>(o.out, std::as_const(x).vectors()); });
  return outcome;
}

}  // namespace

template <Scalar T>
void solve_full(const Solve& asked, const SolveTask<T>& task) {
  Solve o = asked;
  FullOutcome outcome = solve_with(o, task);
  outcome.device = find_device_facts(o.options.backend);
  outcome.read_bandwidth =
      outcome.device ? outcome.device->copy_bandwidth
                     : as_phase("measuring the read bandwidth", [&] {
                         return read_bandwidth(std::max<Index>(1, outcome.report.threads));
                       });
  if (o.json)
    print_json(o, outcome);
  else
    print_report(o, task.input, outcome);
}

template void solve_full(const Solve&, const SolveTask<float>&);
template void solve_full(const Solve&, const SolveTask<double>&);
template void solve_full(const Solve&, const SolveTask<std::complex<float>>&);
template void solve_full(const Solve&, const SolveTask<std::complex<double>>&);

}  // namespace echelon::cli
