// bench/general/echelon_methods.cpp -- the contender Echelon, by method.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <optional>

#include "contender.hpp"
#include "support/timed_solve.hpp"

namespace echelon::bench {
namespace {

// The median of three: a first analysis pays for the pages the later ones find again.
Analysis analyze(const TrianglePattern& t, const Options& o, double& seconds) {
  std::vector<double> times;
  std::optional<Analysis> analysis;
  while (times.size() < 3) {
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
  const Analysis analysis = analyze(t, o, facts.analyze_s);
  std::shared_ptr<Solver<T>> solver;
  facts.setup_s = time_of([&] { solver = std::make_shared<Solver<T>>(analysis, t); });
  facts.refresh_s = time_updates([&] { return t.value; },
                                 [&](std::span<const T> values) { solver->update(values); });
  facts.method = name(solver->report().method);
  facts.reason = solver->report().reason;
  facts.backend = o.backend;
  facts.threads = threads;
  facts.supersteps = solver->report().supersteps;
  facts.plan_levels = solver->report().levels;
  facts.launches = solver->setup_report().launches;
  facts.matrix_bytes = solver->setup_report().matrix_bytes;
  const auto solve = [solver, &task, in_place = s.in_place](std::span<T> x) {
    const auto call = [&](const Vectors<const T>& from, const Vectors<T>& to, void* stream) {
      solver->solve(from, to, {.stream = stream});
    };
    const Backend backend = solver->report().backend;
    const int warmup = backend == Backend::cpu ? 0 : 1;  // the device then need not wait for work
    const Vectors<T> answer(x.data(), task.triangle.rows);
    if (in_place) std::copy(task.b.begin(), task.b.end(), x.begin());
    const Vectors<const T> b(in_place ? x.data() : task.b.data(), task.triangle.rows);
    return time_solves<T>(backend, 1, warmup, b, answer, call).front();
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
