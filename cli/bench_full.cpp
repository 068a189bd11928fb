// cli/bench_full.cpp -- prepares, checks and times contenders on the triangles of one
// factorization.
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_full.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "input.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "right_sides.hpp"
#include "rounds.hpp"
#include "table.hpp"
#include "turn.hpp"

namespace echelon::cli {
namespace {

using bench::Phase;
using Kind = ContenderChoice::Kind;

constexpr Index most_inverted = 4000;  // largest full inverse unless requested by name
constexpr Index level_solves = 51;     // most solves for the medians of levels

// A larger relative residual is not explained by rounding: an accepted inverse may cost eight
// digits, and single precision has seven.
template <Scalar T>
double tolerable_residual(bool low_precision) {
  return std::is_same_v<Real<T>, double> && !low_precision ? 1e-6 : 1e-2;
}

// CHOLMOD reads only one half of the matrix and would not detect this.
template <Scalar T>
void require_hermitian(const bench::FactorTask<T>& task) {
  if (task.factors.symmetric && task.factors.diagonal.empty()) return;
  if (const HermitianTest test = test_hermitian(MatrixView<T>(task.a)); !test.positive_diagonal)
    throw Error(ErrorCode::not_positive_definite,
                "the matrix is not positive definite: " + test.why);
}

template <Scalar T>
bench::FactorEntrants<T> make_entrants(const bench::FactorTask<T>& task,
                                       const ContenderChoice& choice, const FullPlan& plan) {
  const std::vector<Index>& threads = plan.threads;
  if (choice.kind == Kind::cusparse) return bench::make_cusparse(task, plan.nrhs);
  if (choice.kind == Kind::cudss) return bench::make_cudss(task, plan.nrhs, plan.cudss_library);
  if (choice.kind == Kind::cholmod) {
    require_hermitian(task);
    return bench::make_cholmod(task, threads);
  }
  if (choice.kind == Kind::pardiso) return bench::make_pardiso(task, threads, plan.mkl_library);
  if (choice.kind == Kind::superlu) return bench::make_superlu(task, threads);
  if (choice.kind == Kind::umfpack) return bench::make_umfpack(task);
  if (choice.kind == Kind::klu) return bench::make_klu(task);
  if (choice.method == Method::invert_full && task.a.rows > most_inverted && !choice.by_name)
    throw Error(ErrorCode::backend_missing,
                "left out beyond " + grouped(most_inverted) + " unknowns unless asked for by name");
  Options options = task.options;
  options.method = choice.method;
  if (const std::string reason = why_refused(options); !reason.empty())
    throw Error(ErrorCode::bad_argument, reason);
  return bench::make_supernodal(task, choice.method, threads);
}

// Errors that mean "cannot take part"; any other is a failure.  Another library may also fail to
// factor the matrix, or solve with too large an error.
bool is_excuse(ErrorCode code, Kind kind) {
  return kind != Kind::echelon || code == ErrorCode::backend_missing ||
         code == ErrorCode::bad_argument || code == ErrorCode::not_positive_definite;
}

bool has(const std::vector<Phase>& phases, Phase phase) {
  return std::find(phases.begin(), phases.end(), phase) != phases.end();
}

// One checked contender, with the right-hand sides of its phases.
template <Scalar T>
struct Runner {
  bench::FactorEntrant<T> entrant;
  const VectorBlock<T>* given;  // of a whole solve
  VectorBlock<T> first;         // of the first phase
  VectorBlock<T> second;        // of the second phase
  double backward_error = 0;
  double normwise_error = 0;

  Vectors<const T> right_side(Phase phase) const {
    if (phase == Phase::whole) return given->vectors();
    return (phase == Phase::upper ? second : first).vectors();
  }
};

template <Scalar T>
VectorBlock<T> same_shape(const VectorBlock<T>& b) {
  return {b.n, b.count, b.layout, Buffer<T>(b.value.size(), T(0))};
}

// The phases of one solve: one after the other, or both in one.
template <Scalar T>
void check_answer(const bench::FactorTask<T>& task, const std::vector<Phase>& phases,
                  const VectorBlock<T>& b, VectorBlock<T>& x, Runner<T>& runner) {
  bench::solve_whole(runner.entrant, phases, b.vectors(), x.vectors());
  const auto note = [](double& worst, double error) {
    if (!(error <= worst)) worst = error;  // NaN too
  };
  const BackwardErrors errors =
      find_backward_errors<T>(task.a, b.vectors(), std::as_const(x).vectors());
  note(runner.backward_error, errors.componentwise);
  note(runner.normwise_error, errors.normwise);
  const double residual =
      runner.normwise_error * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  const double bound = tolerable_residual<T>(task.options.numeric.low_precision);
  if (residual <= bound) return;
  const bench::FactorFacts& facts = runner.entrant.facts;
  throw Error(ErrorCode::backend_failed, facts.contender + " on " + std::to_string(facts.threads) +
                                             " threads gives a wrong solution: relative residual " +
                                             digits(residual) + ", above " + digits(bound));
}

template <Scalar T>
Runner<T> make_runner(const bench::FactorTask<T>& task, bench::FactorEntrant<T>&& entrant,
                      const VectorBlock<T>& b, VectorBlock<T>& x) {
  Runner<T> runner{std::move(entrant), &b, same_shape(b), {}};
  const std::vector<Phase>& phases = runner.entrant.phases;
  const bool apart = has(phases, Phase::lower);
  if (has(phases, Phase::both)) check_answer(task, {Phase::both}, b, x, runner);
  if (apart && runner.entrant.chained)
    check_answer(task, {Phase::lower, Phase::upper}, b, x, runner);
  if (has(phases, Phase::whole)) check_answer(task, {Phase::whole}, b, x, runner);
  bench::enter(runner.entrant.frame, b.vectors(), runner.first.vectors());
  if (!apart) return runner;
  runner.second = same_shape(b);
  runner.entrant.solve(Phase::lower, runner.right_side(Phase::lower), runner.second.vectors());
  bench::divide(runner.entrant.frame, runner.second.vectors());
  return runner;
}

template <Scalar T>
std::vector<Runner<T>> make_runners(const bench::FactorTask<T>& task, const FullPlan& plan,
                                    const VectorBlock<T>& b, VectorBlock<T>& x,
                                    std::vector<Missing>& missing) {
  std::vector<Runner<T>> runners;
  for (const ContenderChoice& choice : plan.contenders) {
    const Progress progress("setting up and checking " + choice.name());
    try {
      for (bench::FactorEntrant<T>& entrant : make_entrants(task, choice, plan)) {
        std::vector<Phase>& phases = entrant.phases;
        if (!plan.whole && phases.size() > 1) std::erase(phases, Phase::whole);
        runners.push_back(make_runner(task, std::move(entrant), b, x));
      }
    } catch (const Error& error) {
      if (!is_excuse(error.code(), choice.kind)) throw;
      missing.push_back({choice.name(), counted_from_one(error)});
    }
  }
  return runners;
}

template <Scalar T>
std::vector<Contestant> make_contestants(const std::vector<Runner<T>>& runners, VectorBlock<T>& x) {
  std::vector<Contestant> contestants;
  for (const Runner<T>& runner : runners)
    for (const Phase phase : runner.entrant.phases) {
      const auto solve = [&runner, &x, phase] {
        return runner.entrant.solve(phase, runner.right_side(phase), x.vectors());
      };
      contestants.push_back(
          {solve, solve(), runner.entrant.facts.own_threads ? Threads::others : Threads::ours});
    }
  return contestants;
}

// The sum of both phases per round.
std::vector<double> sums(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> both;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) both.push_back(a[k] + b[k]);
  return both;
}

template <Scalar T>
double nonzero_bytes(const FullSystem& s, Phase phase) {
  const Offset lower = phase == Phase::upper ? 0 : s.lower_nonzeros;
  const Offset upper = phase == Phase::lower ? 0 : s.upper_nonzeros;
  return static_cast<double>(lower + upper) * sizeof(T);
}

template <Scalar T>
std::vector<FullRun> summarize(const FullSystem& system, const std::vector<Runner<T>>& runners,
                               const std::vector<Contestant>& contestants) {
  std::vector<FullRun> runs;
  std::size_t next = 0;
  for (const Runner<T>& runner : runners) {
    const auto add = [&](Phase phase, const std::vector<double>& seconds) {
      runs.push_back({runner.entrant.facts, phase, find_spread(seconds),
                      nonzero_bytes<T>(system, phase), 2.0 * system.n * system.nrhs * sizeof(T),
                      runner.backward_error, runner.normwise_error});
      if (runner.entrant.facts.report.low_precision && std::is_same_v<Real<T>, double>)
        runs.back().nonzero_bytes /= 2;
    };
    const std::vector<Phase>& phases = runner.entrant.phases;
    for (const Phase phase : phases) {
      add(phase, contestants[next++].seconds);
      if (phase == Phase::upper && !has(phases, Phase::both))
        add(Phase::both, sums(contestants[next - 2].seconds, contestants[next - 1].seconds));
    }
  }
  return runs;
}

// The median time of each level of a phase, from separate solves.
template <Scalar T>
std::vector<LevelTime> time_levels(const Runner<T>& runner, Phase phase, Index repeat,
                                   VectorBlock<T>& x) {
  std::vector<std::vector<LevelTime>> solves;
  solves.reserve(static_cast<std::size_t>(repeat));
  for (Index k = 0; k < repeat; ++k)
    solves.push_back(runner.entrant.levels(phase, runner.right_side(phase), x.vectors()));
  std::vector<LevelTime> levels = solves.front();
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::vector<double> seconds;
    seconds.reserve(solves.size());
    for (const auto& solve : solves) seconds.push_back(solve[l].seconds);
    levels[l].seconds = find_spread(std::move(seconds)).median;
  }
  return levels;
}

template <Scalar T>
void add_levels(const std::vector<Runner<T>>& runners, Index repeat, VectorBlock<T>& x,
                std::vector<FullRun>& runs) {
  std::size_t next = 0;
  for (const Runner<T>& runner : runners)
    for (const Phase phase : {Phase::lower, Phase::upper, Phase::both, Phase::whole}) {
      if (next == runs.size() || runs[next].phase != phase) continue;
      FullRun& run = runs[next++];
      if ((phase == Phase::lower || phase == Phase::upper) && runner.entrant.levels)
        run.by_level = time_levels(runner, phase, repeat, x);
    }
}

void compare_with_cusparse(std::vector<FullRun>& runs) {
  for (const FullRun& theirs : runs)
    if (theirs.facts.contender == "cusparse")
      for (FullRun& run : runs)
        if (run.phase == theirs.phase)
          run.speedup_vs_cusparse = theirs.solve.median / run.solve.median;
}

template <Scalar T>
FullSystem describe(const std::string& input, const bench::FactorTask<T>& task,
                    const std::string& reason, Index nrhs) {
  const Factors<T>& f = task.factors;
  FullSystem s{input, task.a.rows, task.a.nonzeros(), f.lower.nonzeros};
  s.upper_nonzeros = f.symmetric ? f.lower.nonzeros : f.upper.nonzeros;
  s.package = f.package;
  s.kind = f.kind;
  s.ordering = f.ordering;
  s.reason = reason;
  s.order_s = f.order_s;
  s.factor_s = f.factor_s;
  s.nrhs = nrhs;
  s.low_precision = task.options.numeric.low_precision;
  return s;
}

}  // namespace

template <Scalar T>
FullResult bench_full(const std::string& input, const Csr<T>& a, const FullPlan& plan) {
  Factored<T> done = factor_matrix(plan.factor.solved_on(plan.options.backend), a);
  const Turn turn(plan.turn);
  const bench::FactorTask<T> task{
      a, std::move(done.factors), done.options, plan.options, plan.setups, plan.updates};
  FullResult result{describe(input, task, done.reason, plan.nrhs), {}, {}};
  const RightSides random{.kind = RightSides::Kind::random};
  const auto b = make_right_sides<T>(random, a.rows, plan.nrhs, Layout::column_major);
  VectorBlock<T> x = same_shape(b);
  const auto runners = make_runners(task, plan, b, x, result.missing);
  auto contestants = make_contestants(runners, x);
  run_in_turn(contestants, plan.repeat, "timing " + input,
              plan.most_s > 0 ? plan.most_s : std::numeric_limits<double>::infinity());
  result.runs = summarize(result.system, runners, contestants);
  compare_with_cusparse(result.runs);
  if (plan.by_level) add_levels(runners, std::min(plan.repeat, level_solves), x, result.runs);
  return result;
}

#define ECHELON_INSTANTIATE(T) \
  template FullResult bench_full(const std::string&, const Csr<T>&, const FullPlan&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::cli
