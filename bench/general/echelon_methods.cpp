// bench/general/echelon_methods.cpp -- the contender Echelon, by method.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <optional>

#include "contender.hpp"
#include "resident.hpp"
#include "support/timed_solve.hpp"

namespace echelon::bench {
namespace {

// Medians of three by default: the first analysis pays for memory pages that later ones reuse.
template <Scalar T>
std::shared_ptr<Solver<T>> make_solver(const Triangle<T>& t, const Options& o, Index setups,
                                       Facts& facts) {
  std::vector<double> analysis_s, setup_s;
  std::shared_ptr<Solver<T>> solver;
  for (Index k = 0; k < (setups > 0 ? setups : 3); ++k) {
    solver.reset();
    std::optional<Analysis> analysis;
    analysis_s.push_back(time_of([&] { analysis.emplace(t, o); }));
    setup_s.push_back(time_of([&] { solver = std::make_shared<Solver<T>>(*analysis, t); }));
  }
  facts.analysis_s = middle(analysis_s);
  facts.setup_s = middle(setup_s);
  facts.setups = static_cast<Index>(setup_s.size());
  return solver;
}

}  // namespace

template <Scalar T>
Entrant<T> make_echelon(const Task<T>& task, Method method, Index threads, const Settings& s) {
  Options o = s.options;
  o.method = method;
  o.cpu.threads = threads;
  const Triangle<T> t = triangle(CsrView<T>(task.triangle), task.part);
  Facts facts{std::string("echelon:") + name(method), ""};
  const std::shared_ptr<Solver<T>> solver = make_solver(t, o, s.setups, facts);
  facts.update_s = time_updates([&] { return t.value; },
                                [&](std::span<const T> values) { solver->update(values); },
                                s.setups > 0 ? s.setups : 5);
  facts.method = name(solver->report().method);
  facts.reason = solver->report().reason;
  facts.backend = o.backend;
  facts.threads = threads;
  facts.supersteps = solver->report().supersteps;
  facts.launches = solver->report().launches;
  facts.matrix_bytes = solver->report().bytes;
  const SolveCall<T> call = [solver](const Vectors<const T>& from, const Vectors<T>& to,
                                     void* stream) { solver->solve(from, to, {.stream = stream}); };
  if (o.backend != Backend::cpu) return make_resident(task, std::move(facts), call);
  const auto solve = [call, &task, in_place = s.in_place](std::span<T> x) {
    const Vectors<T> answer = task.answers(x);
    if (in_place) std::copy(task.b.begin(), task.b.end(), x.begin());
    const Vectors<const T> b(in_place ? x.data() : task.b.data(), answer.n, answer.count);
    return time_of([&] { call(b, answer, nullptr); });
  };
  return {std::move(facts), solve};
}

#define ECHELON_INSTANTIATE(T) \
  template Entrant<T> make_echelon(const Task<T>&, Method, Index, const Settings&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
