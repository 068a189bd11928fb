// cli/bench_rounds.cpp -- prepares, checks and times contenders on one triangular system.
// SPDX-License-Identifier: BSD-3-Clause
#include "bench_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "echelon/analysis.hpp"
#include "progress.hpp"
#include "rounds.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

template <Scalar T>
bench::Entrant<T> make_entrant(const bench::Task<T>& task, const ContenderChoice& choice,
                               Index threads, const bench::Settings& s) {
  using Kind = ContenderChoice::Kind;
  switch (choice.kind) {
    case Kind::echelon:
      return bench::make_echelon(task, choice.method, threads, s);
    case Kind::eigen:
      return bench::make_eigen(task);
    case Kind::mkl:
      return bench::make_mkl(task, threads, s);
    case Kind::scipy:
      return bench::make_scipy(task, s);
    case Kind::cusparse:
      return bench::make_cusparse(task);
    case Kind::cholmod:
    case Kind::superlu:
    case Kind::umfpack:
    case Kind::klu:
    case Kind::pardiso:
    case Kind::cudss:
      break;  // these solve with factors only
  }
  return {};
}

// The largest error that rounding alone can cause in a triangle whose longest row has so many
// entries, for any order of the sums and any way to divide.
template <Scalar T>
double tolerable_error(Index longest_row) {
  return 16.0 * (longest_row + 8.0) * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

// A contender whose solution was correct.
template <Scalar T>
struct Runner {
  bench::Entrant<T> entrant;
  double first = 0;  // seconds of the checked solve
  BackwardErrors errors = {};
};

template <Scalar T>
BackwardErrors check_answer(const bench::Task<T>& task, const SystemFacts& system, Buffer<T>& x,
                            const bench::Facts& facts) {
  const Triangle<T> t = triangle(CsrView<T>(task.triangle), task.part);
  const BackwardErrors errors =
      find_backward_errors<T>(t, T(1), task.right_sides(), task.answers(x));
  const double error = errors.componentwise;
  const double bound = tolerable_error<T>(system.longest_row);
  if (error <= bound) return errors;
  throw Error(ErrorCode::backend_failed, system.input + ": " + facts.contender + " on " +
                                             std::to_string(facts.threads) +
                                             " threads gives a wrong solution: backward error " +
                                             digits(error) + ", above " + digits(bound));
}

template <Scalar T>
Runner<T> make_runner(const bench::Task<T>& task, const SystemFacts& system,
                      bench::Entrant<T>&& entrant, Buffer<T>& x) {
  Runner<T> runner{std::move(entrant)};
  // Wrong but finite values: MKL's threads multiply the old content of x by zero.
  std::fill(x.begin(), x.end(), T(-1));
  runner.first = runner.entrant.solve(x);
  runner.errors = check_answer(task, system, x, runner.entrant.facts);
  return runner;
}

template <Scalar T>
std::vector<BenchRun> summarize(const std::vector<Runner<T>>& runners,
                                const std::vector<Contestant>& contestants, std::size_t numbers) {
  std::vector<BenchRun> runs;
  double eigen = 0;
  double serial = 0;
  double cusparse = 0;
  for (std::size_t k = 0; k < runners.size(); ++k) {
    BenchRun run{runners[k].entrant.facts, find_spread(contestants[k].seconds), runners[k].errors};
    run.traffic_bytes = static_cast<double>(run.facts.matrix_bytes) +
                        2.0 * static_cast<double>(numbers * sizeof(T));
    if (run.facts.contender == "eigen") eigen = run.solve.median;
    if (run.facts.contender == "echelon:serial") serial = run.solve.median;
    if (run.facts.contender == "cusparse") cusparse = run.solve.median;
    runs.push_back(std::move(run));
  }
  for (BenchRun& run : runs) {
    run.speedup_vs_eigen = eigen / run.solve.median;
    run.speedup_vs_cusparse = cusparse / run.solve.median;
    if (serial > 0) run.analysis_solves = run.facts.analysis_s / serial;
  }
  return runs;
}

double next_random(std::uint64_t& state) {  // splitmix64, in [1, 2)
  std::uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return 1 + static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// B = M X for a random X, by columns.
template <Scalar T>
Buffer<T> make_right_sides(const Csr<T>& m, Index nrhs) {
  const auto n = static_cast<std::size_t>(m.rows);
  Buffer<T> x(n * static_cast<std::size_t>(nrhs));
  std::uint64_t state = 1;
  for (T& value : x) value = static_cast<T>(static_cast<Real<T>>(next_random(state)));
  Buffer<T> b(x.size(), T(0));
  for (std::size_t first = 0; first < x.size(); first += n)
    for (Index i = 0; i < m.rows; ++i)
      for (Offset p = m.start[i]; p < m.start[i + 1]; ++p)
        b[first + i] += m.value[p] * x[first + m.index[p]];
  return b;
}

// On a device, threads only affect the setup.
std::vector<Index> threads_of(const ContenderChoice& choice, const BenchPlan& plan) {
  if (!choice.has_threads()) return {1};
  if (choice.kind == ContenderChoice::Kind::echelon &&
      plan.settings.options.backend != Backend::cpu)
    return {*std::max_element(plan.threads.begin(), plan.threads.end())};
  return plan.threads;
}

bool may_be_left_out(const ContenderChoice& choice, const BenchPlan& plan, ErrorCode code) {
  const bool may_refuse =
      is_supernodal(choice.method) || plan.settings.options.backend != Backend::cpu;
  return choice.kind == ContenderChoice::Kind::echelon && may_refuse && !choice.by_name &&
         code == ErrorCode::bad_argument;
}

}  // namespace

template <Scalar T>
bench::Task<T> make_task(const Csr<T>& a, Uplo part, Index nrhs) {
  bench::Task<T> task{part, extract_triangle(CsrView<T>(a), part), {}, nrhs, {}};
  if (task.triangle.nonzeros() <= std::numeric_limits<Index>::max())
    task.start.assign(task.triangle.start.begin(), task.triangle.start.end());
  task.b = make_right_sides(task.triangle, nrhs);
  return task;
}

template <Scalar T>
SystemFacts find_system_facts(const bench::Task<T>& task, const std::string& input) {
  const Csr<T>& m = task.triangle;
  SystemFacts facts{input, task.part, m.rows, task.nrhs, m.nonzeros()};
  const TrianglePattern t = triangle(CsrView<T>(m), task.part);
  facts.levels = find_level_sets(find_dependency_graph(t, Order::rows)).count();
  for (Index i = 0; i < m.rows; ++i)
    facts.longest_row =
        std::max(facts.longest_row, static_cast<Index>(m.start[i + 1] - m.start[i]));
  return facts;
}

template <Scalar T>
std::vector<BenchRun> run_rounds(const bench::Task<T>& task, const SystemFacts& system,
                                 const BenchPlan& plan, std::vector<Missing>& missing) {
  const std::string title = system.input + (system.part == Uplo::lower ? ", lower" : ", upper");
  std::vector<Runner<T>> runners;
  Buffer<T> x(task.b.size());
  for (const ContenderChoice& choice : plan.contenders) {
    const Progress progress("setting up and checking " + choice.name() + " on " + title);
    try {
      for (const Index threads : threads_of(choice, plan))
        runners.push_back(
            make_runner(task, system, make_entrant(task, choice, threads, plan.settings), x));
    } catch (const Error& error) {
      if (!may_be_left_out(choice, plan, error.code())) throw;
      missing.push_back({choice.name(), error.what()});
    }
  }
  std::vector<Contestant> contestants;
  contestants.reserve(runners.size());
  for (const Runner<T>& runner : runners)
    contestants.push_back({[&] {
                             const bench::Entrant<T>& e = runner.entrant;
                             return e.again ? e.again() : e.solve(x);
                           },
                           runner.first});
  run_in_turn(contestants, plan.repeat, "timing " + title);
  return summarize(runners, contestants, x.size());
}

#define ECHELON_INSTANTIATE(T)                                                         \
  template bench::Task<T> make_task(const Csr<T>&, Uplo, Index);                       \
  template SystemFacts find_system_facts(const bench::Task<T>&, const std::string&);   \
  template std::vector<BenchRun> run_rounds(const bench::Task<T>&, const SystemFacts&, \
                                            const BenchPlan&, std::vector<Missing>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::cli
