// solver/solver.cpp -- values and solves: the second and third phase.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/solver.hpp"

#include "base/claim.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/refuse.hpp"
#include "base/timer.hpp"
#include "base/unique_id.hpp"
#include "echelon/device.hpp"
#include "solver/prepared_triangle.hpp"
#include "solver/refuse_answer.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse_unseen_answer() {
  throw Error(ErrorCode::not_finite,
              "an answer is not finite: its right-hand side is not, or the solve overflowed");
}

}  // namespace

template <Scalar T>
struct Solver<T>::Workspace::Space {
  TriangleSpace triangle;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;  // held by the solve that uses it
};

template <Scalar T>
struct Solver<T>::State {
  using Space = typename Workspace::Space;

  explicit State(const Analysis& a) : analysis(a), triangle(a) {
    static_cast<AnalysisReport&>(report) = a.report();
  }

  const std::uint64_t id = unique_id();  // unlike an address, never used again
  Analysis analysis;
  PreparedTriangle<T> triangle;
  bool conjugated = false;
  bool ready = false;  // the values passed all checks
  SolverReport report;
  std::unique_ptr<Space> own;

  Index device() const { return analysis.options().device(); }
  std::unique_ptr<Space> make_space() const {
    auto space = std::make_unique<Space>();
    space->triangle = triangle.make_space();
    return space;
  }
  Space& space_of(const Workspace& w) const {
    if (!w.space_) refuse("this workspace was moved from");
    if (w.owner_ != id) refuse("this workspace was made by another solver");
    return *w.space_;
  }

  void solve(Space& space, const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o,
             DeviceMarks* steps = nullptr) const {
    const DeviceScope there(device());
    check_vectors(report.n, b, x);
    const Claim claim(space.busy, "workspace");
    if (!ready) refuse("the last update failed; this solver has no values");
    if (o.threads < 0) refuse("threads cannot be negative");
    if (o.part != Part::full) refuse("a Solver has one triangle: SolveOptions::part must be full");
    const bool finite = triangle.solve(
        space.triangle, b, x,
        {.op = o.op, .alpha = o.alpha, .threads = o.threads, .stream = o.stream, .steps = steps});
    if (finite || !analysis.options().check_finite) return;
    if (analysis.options().backend == Backend::cuda && is_on_device(x.data)) refuse_unseen_answer();
    refuse_unless_finite(x);
    throw Error(ErrorCode::not_finite, "the solve overflowed");
  }

  void check(Space& space) const {
    const DeviceScope there(device());
    if (!triangle.check(space.triangle) && analysis.options().check_finite) refuse_unseen_answer();
  }
};

template <Scalar T>
Solver<T>::Workspace::Workspace(std::unique_ptr<Space> space, std::uint64_t owner)
    : space_(std::move(space)), owner_(owner) {}
template <Scalar T>
Solver<T>::Workspace::Workspace(Workspace&&) noexcept = default;
template <Scalar T>
typename Solver<T>::Workspace& Solver<T>::Workspace::operator=(Workspace&&) noexcept = default;
template <Scalar T>
Solver<T>::Workspace::~Workspace() = default;
template <Scalar T>
Offset Solver<T>::Workspace::bytes() const {
  return space_ ? space_->triangle.bytes() : 0;
}

template <Scalar T>
Solver<T>::Solver(const Triangle<T>& t, const Options& options) : Solver(Analysis(t, options), t) {}

template <Scalar T>
Solver<T>::Solver(const Analysis& analysis, const Triangle<T>& t) {
  analysis.check_same(t);
  const DeviceScope there(analysis.options().device());
  state_ = report_bad_alloc("values", [&] {
    auto state = std::make_unique<State>(analysis);
    state->conjugated = t.conjugated();
    return state;
  });
  update(t.value);
  state_->own = report_bad_alloc("workspace", [&] { return state_->make_space(); });
  SolverReport& report = state_->report;
  state_->triangle.report_parts(report.supernodes);
  report.bytes = state_->triangle.bytes();
  report.workspace_bytes = state_->own->triangle.bytes();
  report.device_bytes = state_->triangle.device_bytes();
  report.launches = state_->triangle.launches(Op::none);
}

template <Scalar T>
Solver<T>::Solver(Solver&&) noexcept = default;
template <Scalar T>
Solver<T>& Solver<T>::operator=(Solver&&) noexcept = default;
template <Scalar T>
Solver<T>::~Solver() = default;

template <Scalar T>
typename Solver<T>::State& Solver<T>::state() const {
  if (!state_) refuse("this solver was moved from and has no matrix");
  return *state_;
}

template <Scalar T>
void Solver<T>::update(std::span<const T> values) {
  const Timer timer;
  State& s = state();
  const DeviceScope there(s.device());
  s.ready = false;
  report_bad_alloc("values", [&] { s.triangle.load(values, s.conjugated); });
  s.ready = true;
  s.report.uninverted_blocks = s.triangle.blocks().uninverted_blocks;
  s.report.setup_s = timer.seconds();
}

template <Scalar T>
void Solver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                      const SolveOptions<T>& o) const {
  const State& s = state();
  s.solve(*s.own, b, x, o);
}

template <Scalar T>
void Solver<T>::solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o) const {
  const auto n = static_cast<std::size_t>(report().n);
  if (b.size() != n || x.size() != n)
    refuse("b has " + std::to_string(b.size()) + " entries and x " + std::to_string(x.size()) +
           " for " + std::to_string(n) + " unknowns");
  solve(Vectors<const T>(b.data(), report().n), Vectors<T>(x.data(), report().n), o);
}

template <Scalar T>
std::vector<T> Solver<T>::solve(std::span<const T> b, const SolveOptions<T>& o) const {
  std::vector<T> x(b.size());
  solve(b, std::span<T>(x), o);
  return x;
}

template <Scalar T>
typename Solver<T>::Workspace Solver<T>::make_workspace() const {
  const State& s = state();
  const DeviceScope there(s.device());
  return report_bad_alloc("workspace", [&] { return Workspace(s.make_space(), s.id); });
}

template <Scalar T>
void Solver<T>::solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
                      const SolveOptions<T>& o) const {
  const State& s = state();
  s.solve(s.space_of(workspace), b, x, o);
}

template <Scalar T>
void Solver<T>::check(Workspace& workspace) const {
  const State& s = state();
  s.check(s.space_of(workspace));
}

template <Scalar T>
SolveProfile Solver<T>::profile(const Vectors<const T>& b, const Vectors<T>& x,
                                const SolveOptions<T>& o) const {
  const State& s = state();
  if (report().backend != Backend::cuda)
    refuse("a profile is made by the events of a device: it needs backend cuda");
  const DeviceScope there(s.device());
  DeviceMarks steps(step_count);
  s.solve(*s.own, b, x, o, &steps);
  const std::vector<double> seconds = steps.take(step_count);
  check();
  const auto of = [&](Step step) { return seconds[static_cast<std::size_t>(step)]; };
  return {of(Step::copy_in), of(Step::solve), of(Step::copy_out)};
}

template <Scalar T>
void Solver<T>::check() const {
  const State& s = state();
  s.check(*s.own);
}

template <Scalar T>
const Analysis& Solver<T>::analysis() const {
  return state().analysis;
}

template <Scalar T>
const SolverReport& Solver<T>::report() const {
  return state().report;
}

#define ECHELON_INSTANTIATE(T) template class Solver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
