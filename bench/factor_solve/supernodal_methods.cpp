// bench/factor_solve/supernodal_methods.cpp -- the contender Echelon, by supernodal method.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>

#include "factor_solve/factor_contender.hpp"
#include "support/timed_solve.hpp"

namespace echelon::bench {
namespace {

constexpr double short_making = 0.5;  // seconds; a slower solver is constructed once only

// Constructs a solver as often as requested, or three times if it is quick, and reports medians:
// the first construction pays for memory pages that later ones reuse.  Then times updates with the
// same values.
template <Scalar T>
std::shared_ptr<const DirectSolver<T>> make_solver(const FactorTask<T>& task, const Options& o,
                                                   FactorFacts& facts) {
  const auto copy = [&] { return Factors<T>(task.factors); };
  std::shared_ptr<DirectSolver<T>> solver;
  std::vector<double> analysis, setup;
  const auto goes_on = [&] {
    const auto made = static_cast<Index>(setup.size());
    if (task.setups > 0) return made < task.setups;
    return made < 3 && analysis.front() + setup.front() < short_making;
  };
  do {
    solver.reset();
    solver = std::make_shared<DirectSolver<T>>(copy(), o);
    analysis.push_back(solver->report().analysis_s);
    setup.push_back(solver->report().setup_s);
  } while (goes_on());
  facts.analysis_s = middle(analysis);
  facts.setup_s = middle(setup);
  facts.setups = static_cast<Index>(setup.size());
  if (task.updates)
    facts.update_s = time_updates(
        copy, [&](Factors<T>&& f) { solver->update(std::move(f)); },
        task.setups > 0 ? task.setups : 5);
  return solver;
}

echelon::Part part_of(Phase phase) {
  switch (phase) {
    case Phase::lower:
      return echelon::Part::lower;
    case Phase::upper:
      return echelon::Part::upper;
    case Phase::both:
      return echelon::Part::triangles;
    case Phase::whole:
      break;
  }
  return echelon::Part::full;
}

// Times the levels of a solve with vectors on the device.
template <Scalar T>
std::vector<LevelTime> time_levels(const DirectSolver<T>& solver, Phase phase,
                                   const Vectors<const T>& b, const Vectors<T>& x) {
  std::vector<LevelTime> levels;
  const auto call = [&](const Vectors<const T>& from, const Vectors<T>& to, void* stream) {
    levels =
        solver.profile_levels(phase == Phase::lower ? Uplo::lower : Uplo::upper, from, to, stream);
  };
  time_solves<T>(Backend::cuda, 1, 1, b, x, call);
  return levels;
}

template <Scalar T>
FactorEntrant<T> make_one(const FactorTask<T>& task, Method method, Index threads) {
  Options o = task.options;
  o.method = method;
  o.cpu.threads = threads;
  FactorFacts facts{.contender = std::string("echelon:") + name(method), .method = ""};
  const auto solver = make_solver(task, o, facts);
  const DirectReport& report = solver->report();
  facts.method = name(report.method);
  facts.reason = report.reason;
  facts.threads = threads;
  facts.own_threads = report.method == Method::plain;
  facts.stored_values = report.lower.stored + (report.symmetric_storage ? 0 : report.upper.stored);
  facts.stored_bytes = report.stored_bytes;
  facts.report = report;
  const auto solve = [solver, threads](Phase phase, const Vectors<const T>& b,
                                       const Vectors<T>& x) {
    const auto call = [&](const Vectors<const T>& from, const Vectors<T>& to, void* stream) {
      solver->solve(from, to, {.part = part_of(phase), .threads = threads, .stream = stream});
    };
    const Backend backend = solver->report().backend;
    const int warmup = backend == Backend::cpu ? 0 : 1;  // keeps the device supplied with work
    return time_solves<T>(backend, 1, warmup, b, x, call).front();
  };
  FactorEntrant<T> entrant{std::move(facts),
                           frame_of(task.factors),
                           {Phase::lower, Phase::upper, Phase::whole},
                           solve,
                           {}};
  if (report.backend == Backend::cuda) {
    entrant.phases.insert(entrant.phases.begin() + 2, Phase::both);
    entrant.levels = [solver](Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
      return time_levels(*solver, phase, b, x);
    };
  }
  return entrant;
}

}  // namespace

template <Scalar T>
FactorEntrants<T> make_supernodal(const FactorTask<T>& task, Method method,
                                  const std::vector<Index>& threads) {
  FactorEntrants<T> entrants;
  if (task.options.backend != Backend::cpu)  // threads only speed up the setup
    return {make_one(task, method, *std::max_element(threads.begin(), threads.end()))};
  for (const Index count : threads) entrants.push_back(make_one(task, method, count));
  return entrants;
}

#define ECHELON_INSTANTIATE(T)                                             \
  template FactorEntrants<T> make_supernodal(const FactorTask<T>&, Method, \
                                             const std::vector<Index>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
