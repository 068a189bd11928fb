// direct/direct_solver.cpp -- solve with both triangles of a factorization, and refine.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/claim.hpp"
#include "base/instantiate.hpp"
#include "direct/direct_state.hpp"

namespace echelon {
namespace {

template <class T>
void require_same(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  if (a != b) refuse_input(std::string("the new factors have another ") + what);
}

template <class T>
void require_same_pattern(const Csc<T>& a, const Csc<T>& b) {
  if (a.start != b.start || a.index != b.index)
    refuse_input("the new factors have another pattern");
}

}  // namespace

template <Scalar T>
DirectSolver<T>::Workspace::Workspace(std::unique_ptr<Space> space, std::uint64_t owner)
    : space_(std::move(space)), owner_(owner) {}
template <Scalar T>
DirectSolver<T>::Workspace::Workspace(Workspace&&) noexcept = default;
template <Scalar T>
typename DirectSolver<T>::Workspace& DirectSolver<T>::Workspace::operator=(Workspace&&) noexcept =
    default;
template <Scalar T>
DirectSolver<T>::Workspace::~Workspace() = default;
template <Scalar T>
Offset DirectSolver<T>::Workspace::bytes() const {
  return space_ ? space_->bytes() : 0;
}

template <Scalar T>
DirectSolver<T>::DirectSolver(Factors<T> factors, const Options& options)
    : state_(std::make_unique<State>()) {
  report_bad_alloc("panels", [&] {
    State& s = *state_;
    s.options = options;
    if (options.backend == Backend::cuda)
      s.options.cuda.device = choose_device(options.cuda.device);
    s.factors = std::move(factors);
    const DeviceScope there(s.options.device());
    s.analyze();
    s.setup(true);
  });
}

template <Scalar T>
DirectSolver<T>::DirectSolver(DirectSolver&&) noexcept = default;
template <Scalar T>
DirectSolver<T>& DirectSolver<T>::operator=(DirectSolver&&) noexcept = default;
template <Scalar T>
DirectSolver<T>::~DirectSolver() = default;

template <Scalar T>
typename DirectSolver<T>::State& DirectSolver<T>::state() const {
  if (!state_) refuse_input("this solver was moved from and has no factors");
  return *state_;
}

template <Scalar T>
void DirectSolver<T>::update(Factors<T> factors) {
  State& s = state();
  const DeviceScope there(s.options.device());
  const Factors<T>& old = s.factors;
  s.ready = false;
  if (factors.n != old.n || factors.symmetric != old.symmetric ||
      factors.lower.in_panels() != old.lower.in_panels() || factors.kind != old.kind)
    refuse_input("the new factors are of another size or kind");
  require_same(factors.col_order, old.col_order, "order of columns");
  if (s.lower.by_rows) require_same_pattern(factors.lower.columns, old.lower.columns);
  if (s.upper.by_rows) require_same_pattern(factors.upper.columns, old.upper.columns);
  s.factors = std::move(factors);
  report_bad_alloc("panels", [&] {
    s.take_columns();
    s.setup(false);
  });
}

// --- Solves: on the solver's device, with one caller at a time in a workspace.

template <Scalar T>
typename DirectSolver<T>::Workspace DirectSolver<T>::make_workspace() const {
  const State& s = state();
  const DeviceScope there(s.options.device());
  return report_bad_alloc("workspace", [&] { return Workspace(s.make_space(), s.id); });
}

template <Scalar T>
void DirectSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                            const SolveOptions<T>& o) const {
  const State& s = state();
  s.enter(*s.own, [&](auto& space) { s.solve(space, b, x, o); });
}

template <Scalar T>
void DirectSolver<T>::solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o) const {
  solve(Vectors<const T>(b.data(), static_cast<Index>(b.size())),
        Vectors<T>(x.data(), static_cast<Index>(x.size())), o);
}

template <Scalar T>
std::vector<T> DirectSolver<T>::solve(std::span<const T> b, const SolveOptions<T>& o) const {
  std::vector<T> x(b.size());
  solve(b, std::span<T>(x), o);
  return x;
}

template <Scalar T>
void DirectSolver<T>::solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
                            const SolveOptions<T>& o) const {
  const State& s = state();
  s.enter(s.space_of(workspace), [&](auto& space) { s.solve(space, b, x, o); });
}

template <Scalar T>
void DirectSolver<T>::check() const {
  const State& s = state();
  const DeviceScope there(s.options.device());
  s.check(*s.own);
}
template <Scalar T>
void DirectSolver<T>::check(Workspace& workspace) const {
  const State& s = state();
  const DeviceScope there(s.options.device());
  s.check(s.space_of(workspace));
}

template <Scalar T>
RefineReport DirectSolver<T>::solve(const CsrView<T>& a, const Vectors<const T>& b,
                                    const Vectors<T>& x, const RefineOptions& o) const {
  const State& s = state();
  return s.enter(*s.own, [&](auto& space) { return s.solve_refined(space, a, b, x, o); });
}
template <Scalar T>
RefineReport DirectSolver<T>::solve(Workspace& workspace, const CsrView<T>& a,
                                    const Vectors<const T>& b, const Vectors<T>& x,
                                    const RefineOptions& o) const {
  const State& s = state();
  return s.enter(s.space_of(workspace),
                 [&](auto& space) { return s.solve_refined(space, a, b, x, o); });
}

template <Scalar T>
DirectProfile DirectSolver<T>::profile(const Vectors<const T>& b, const Vectors<T>& x,
                                       void* stream) const {
  const State& s = state();
  s.require_events();
  const std::vector<double> seconds = s.enter(*s.own, [&](auto& space) {
    check_vectors(s.factors.n, b, x);
    DeviceMarks steps(step_count * s.passes(b.count));
    s.require_finite(s.run_full(Op::none, T(1), b, x, {.space = space, .stream = stream}, &steps),
                     x);
    return steps.take(step_count);
  });
  check();
  const auto of = [&](Step step) { return seconds[static_cast<std::size_t>(step)]; };
  return {of(Step::copy_in), of(Step::permute_in),  of(Step::lower),   of(Step::diagonal),
          of(Step::upper),   of(Step::permute_out), of(Step::copy_out)};
}

template <Scalar T>
std::vector<LevelTime> DirectSolver<T>::profile_levels(Uplo part, const Vectors<const T>& b,
                                                       const Vectors<T>& x, void* stream) const {
  const State& s = state();
  s.require_events();
  const auto reading = part == Uplo::lower ? s.read_lower(Op::none) : s.read_upper(Op::none);
  const std::vector<LevelWork> work = reading.triangle.level_work(reading.op);
  if (work.empty()) return {};
  const std::vector<double> seconds = s.enter(*s.own, [&](auto& space) {
    // One more per vector, after its last level.
    DeviceMarks levels((work.size() + 1) * static_cast<std::size_t>(std::max(b.count, Index{1})));
    check_vectors(s.factors.n, b, x);
    s.require_finite(
        s.run(reading, T(1), b, x, {.space = space, .stream = stream, .levels = &levels}), x);
    return levels.take(static_cast<int>(work.size()));
  });
  check();
  std::vector<LevelTime> times;
  for (std::size_t l = 0; l < work.size(); ++l) times.push_back({work[l], seconds[l]});
  return times;
}

template <Scalar T>
const DirectReport& DirectSolver<T>::report() const {
  return state().report;
}
template <Scalar T>
FactorTrianglePlan DirectSolver<T>::plan(Uplo part) const {
  const State& s = state();
  const auto reading = part == Uplo::lower ? s.read_lower(Op::none) : s.read_upper(Op::none);
  return {reading.triangle.plan(), reading.op};
}

#define ECHELON_INSTANTIATE(T) template class DirectSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
