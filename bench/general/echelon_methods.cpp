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

// The median of three, if not asked otherwise: a first analysis pays for the pages the later ones
// find again.
Analysis analyze(const TrianglePattern& t, const Options& o, int setups, double& seconds) {
  std::vector<double> times;
  std::optional<Analysis> analysis;
  while (static_cast<int>(times.size()) < (setups > 0 ? setups : 3)) {
    analysis.reset();
    times.push_back(time_of([&] { analysis.emplace(t, o); }));
  }
  seconds = middle(times);
  return *analysis;
}

}  // namespace

template <Scalar T>
Entrant<T> make_echelon(const Task<T>& task, Method method, Index threads, const Settings& s) {
  Options o = s.options;
  o.method = method;
  o.cpu.threads = threads;
  const Triangle<T> t = triangle(CsrView<T>(task.triangle), task.part);
  Facts facts{std::string("echelon:") + name(method), ""};
  const Analysis analysis = analyze(t, o, s.setups, facts.analyze_s);
  std::shared_ptr<Solver<T>> solver;
  facts.setup_s = time_of([&] { solver = std::make_shared<Solver<T>>(analysis, t); });
  facts.refresh_s = time_updates([&] { return t.value; },
                                 [&](std::span<const T> values) { solver->update(values); },
                                 s.setups > 0 ? s.setups : 5);
  facts.method = name(solver->report().method);
  facts.reason = solver->report().reason;
  facts.backend = o.backend;
  facts.threads = threads;
  facts.supersteps = solver->report().supersteps;
  facts.plan_levels = solver->report().levels;
  facts.launches = solver->setup_report().launches;
  facts.matrix_bytes = solver->setup_report().matrix_bytes;
  const SolveCall<T> call = [solver](const Vectors<const T>& from, const Vectors<T>& to,
                                     void* stream) { solver->solve(from, to, {.stream = stream}); };
  if (o.backend != Backend::cpu) return make_resident(task, std::move(facts), call);
  const auto solve = [call, &task, in_place = s.in_place](std::span<T> x) {
    const Vectors<T> answer(x.data(), task.triangle.rows);
    if (in_place) std::copy(task.b.begin(), task.b.end(), x.begin());
    const Vectors<const T> b(in_place ? x.data() : task.b.data(), task.triangle.rows);
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
