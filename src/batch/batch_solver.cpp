// batch/batch_solver.cpp -- the three phases of a batch: checks at the door, and the choice of a
// form.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/claim.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"
#include "base/refuse.hpp"
#include "base/timer.hpp"
#include "base/unique_id.hpp"
#include "base/vector_unit.hpp"
#include "batch/batch_plan.hpp"
#include "batch/separate.hpp"
#include "echelon/batch.hpp"
#include "echelon/device.hpp"

namespace echelon {
namespace {

constexpr Index large = 20000;  // unknowns: a solve of one such system keeps a few threads busy

struct FormChoice {
  BatchForm form;
  std::string reason;
};

// Idle lanes read as much memory as busy ones, and a group has one thread.
FormChoice choose_form(const BatchOptions& o, Index n, Index count, Index threads, Index lanes) {
  const bool device = o.solver.backend == Backend::cuda;
  if (device && o.form == BatchForm::separate)
    refuse("form separate is one of backend cpu: on a device all systems are solved at once");
  if (o.form != BatchForm::automatic) return {o.form, "it was asked for"};
  if (device) return {BatchForm::interleaved, "a device solves all systems at once"};
  if (2 * count < lanes)
    return {BatchForm::separate, "there are too few systems to fill the lanes of a vector unit"};
  if (n >= large && count < lanes * threads / 2)
    return {BatchForm::separate, "large systems are too few to give every thread some of its own"};
  return {BatchForm::interleaved, "there are enough systems for all lanes and threads"};
}

void check_batch_options(const BatchOptions& o) {
  check_options(o.solver);
  if (o.width < 0) refuse("width cannot be negative");
  if (o.solver.numeric.low_precision)
    refuse("a batch keeps values in their own precision: numeric.low_precision must be false");
  if (o.form == BatchForm::separate) return;
  if (o.solver.method != Method::automatic)
    refuse("methods are for form separate; systems side by side are solved row by row");
}

// `values`: those of system after system.
void check_values(std::size_t values, Index count, Offset stored) {
  if (static_cast<Offset>(values) != count * stored)
    refuse("there are " + std::to_string(values) + " values for " + std::to_string(count) +
           " systems of a pattern with " + std::to_string(stored) + " entries");
}

std::string text_of(SystemState state) {
  if (state == SystemState::zero_diagonal) return "has a zero on its diagonal";
  if (state == SystemState::bad_value) return "has a value that is not finite";
  return "has an answer that is not finite: its right-hand side is not, or the solve overflowed";
}

template <class T>
BatchValues<T> checked(const TrianglePattern& t, Index count, std::span<const T> values) {
  check_values(values.size(), count, t.stored.nonzeros());
  return {values.data(), count, 0};
}

}  // namespace

template <Scalar T>
struct BatchSolver<T>::Workspace::Space {
  std::unique_ptr<echelon::Workspace> own;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;  // held by the solve that uses it
};

template <Scalar T>
struct BatchSolver<T>::State {
  using Space = typename Workspace::Space;

  const std::uint64_t id = unique_id();  // unlike an address, never used again
  Options options;
  Offset stored_count = 0;
  std::unique_ptr<BatchExecutor<T>> executor;
  bool ready = false;
  BatchReport report;
  std::unique_ptr<Space> own;

  std::unique_ptr<Space> make_space() const {
    auto space = std::make_unique<Space>();
    space->own = executor->make_workspace();
    return space;
  }
  Space& space_of(const Workspace& w) const {
    if (!w.space_) refuse("this workspace was moved from");
    if (w.owner_ != id) refuse("this workspace was made by another solver");
    return *w.space_;
  }

  void analyze(const TrianglePattern& t, bool conjugated, Index count, const BatchOptions& o);
  void load(const BatchValues<T>& values);
  void solve(Space& space, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o) const;
  std::vector<SystemState> states(const Space& space) const {
    const DeviceScope there(options.device());
    std::vector<SystemState> all = executor->refused();
    executor->add_states(*space.own, all);
    return all;
  }
  std::vector<Index> failed(const Space& space) const {
    const std::vector<SystemState> all = states(space);
    std::vector<Index> numbers;
    for (Index k = 0; k < report.count; ++k)
      if (all[k] != SystemState::solved) numbers.push_back(k);
    return numbers;
  }
  void check(const Space& space) const {
    const std::vector<SystemState> all = states(space);
    const auto first = std::find_if(all.begin(), all.end(),
                                    [](SystemState s) { return s != SystemState::solved; });
    if (first == all.end()) return;
    const auto more = all.end() - first - std::count(first, all.end(), SystemState::solved) - 1;
    throw Error(
        *first == SystemState::zero_diagonal ? ErrorCode::zero_diagonal : ErrorCode::not_finite,
        "system " + std::to_string(first - all.begin()) + " " + text_of(*first) +
            (more > 0 ? "; " + std::to_string(more) + " other systems failed too" : ""));
  }
};

template <Scalar T>
void BatchSolver<T>::State::analyze(const TrianglePattern& t, bool conjugated, Index count,
                                    const BatchOptions& o) {
  const Timer timer;
  options = o.solver;
  const bool device = options.backend == Backend::cuda;
  if (device) options.cuda.device = choose_device(options.cuda.device);
  stored_count = t.stored.nonzeros();
  report.count = count;
  report.backend = options.backend;
  report.threads = std::min(thread_count(options.cpu.threads), CpuOptions::most_threads);
  if (!device) report.vector_unit = find_vector_unit(options.cpu.vector_unit);
  const Index lanes = 64 / static_cast<Index>(sizeof(Real<T>));
  const FormChoice choice = choose_form(o, t.n(), count, report.threads, lanes);
  report.form = choice.form;
  report.reason = choice.reason;
  if (choice.form == BatchForm::separate) {
    const Analysis analysis(t, options);
    report.n = analysis.report().n;
    report.nnz = analysis.report().nnz;
    report.plan_bytes = analysis.report().plan_bytes;
    executor = make_separate_batch<T>(analysis, t, count);
  } else {
    auto plan = std::make_shared<const BatchPlan>(make_batch_plan(
        t, conjugated, device ? BatchOrder::levels : BatchOrder::sweep, report.threads));
    report.n = plan->n;
    report.nnz = plan->entries();
    report.plan_bytes = plan->bytes();
    const DeviceScope there(options.device());
    executor = make_batch_executor<T>(std::move(plan), count, o.width, options);
  }
  report.width = executor->width();
  report.analysis_s = timer.seconds();
}

template <Scalar T>
void BatchSolver<T>::State::load(const BatchValues<T>& values) {
  const Timer timer;
  const DeviceScope there(options.device());
  if (values.count != report.count)
    refuse("there are values of " + std::to_string(values.count) + " systems for a batch of " +
           std::to_string(report.count));
  const Offset stride = values.stride == 0 ? stored_count : values.stride;
  if (stride < stored_count)
    refuse("systems are " + std::to_string(stride) + " values apart, but each has " +
           std::to_string(stored_count));
  if (options.backend == Backend::cpu && is_on_device(values.data))
    refuse("the values lie on a device, but the backend is cpu");
  ready = false;
  report_bad_alloc("values", [&] { executor->load({values.data, values.count, stride}); });
  ready = true;
  const auto& states = executor->refused();
  report.refused = report.count - static_cast<Index>(std::count(states.begin(), states.end(),
                                                                SystemState::solved));
  report.bytes = executor->bytes();
  report.device_bytes = executor->device_bytes();
  report.setup_s = timer.seconds();
}

template <Scalar T>
void BatchSolver<T>::State::solve(Space& space, const Vectors<const T>& b, const Vectors<T>& x,
                                  const SolveOptions<T>& o) const {
  const DeviceScope there(options.device());
  check_vectors(report.n, b, x);
  if (report.count == 0 ? x.count != 0 : x.count % report.count != 0)
    refuse("x has " + std::to_string(x.count) + " vectors for " + std::to_string(report.count) +
           " systems; each needs the same number");
  if (o.threads < 0) refuse("threads cannot be negative");
  if (o.part != Part::full) refuse("each system has one triangle: SolveOptions::part must be full");
  const Claim claim(space.busy, "workspace");
  if (!ready) refuse("the last update failed; this solver has no values");
  report_bad_alloc("workspace", [&] {
    executor->solve({o.alpha, is_complex<T> || o.op == Op::none ? o.op : Op::transpose, b, x,
                     o.threads, o.stream},
                    *space.own);
  });
}

template <Scalar T>
BatchSolver<T>::Workspace::Workspace(std::unique_ptr<Space> space, std::uint64_t owner)
    : space_(std::move(space)), owner_(owner) {}
template <Scalar T>
BatchSolver<T>::Workspace::Workspace(Workspace&&) noexcept = default;
template <Scalar T>
typename BatchSolver<T>::Workspace& BatchSolver<T>::Workspace::operator=(Workspace&&) noexcept =
    default;
template <Scalar T>
BatchSolver<T>::Workspace::~Workspace() = default;
template <Scalar T>
Offset BatchSolver<T>::Workspace::bytes() const {
  return space_ ? space_->own->bytes() : 0;
}

template <Scalar T>
BatchSolver<T>::BatchSolver(const TrianglePattern& pattern, const BatchValues<T>& values,
                            const BatchOptions& options) {
  check_batch_options(options);
  if (values.count < 0) refuse("the number of systems cannot be negative");
  const bool conjugated = is_complex<T> && pattern.op == Op::conjugate;
  report_bad_alloc("analysis", [&] {
    state_ = std::make_unique<State>();
    state_->analyze(pattern, conjugated, values.count, options);
  });
  update(values);
  const DeviceScope there(state_->options.device());
  state_->own = report_bad_alloc("workspace", [&] { return state_->make_space(); });
  state_->report.workspace_bytes = state_->own->own->bytes();
}

template <Scalar T>
BatchSolver<T>::BatchSolver(const TrianglePattern& pattern, Index count, std::span<const T> values,
                            const BatchOptions& options)
    : BatchSolver(pattern, checked(pattern, count, values), options) {}

template <Scalar T>
BatchSolver<T>::BatchSolver(BatchSolver&&) noexcept = default;
template <Scalar T>
BatchSolver<T>& BatchSolver<T>::operator=(BatchSolver&&) noexcept = default;
template <Scalar T>
BatchSolver<T>::~BatchSolver() = default;

template <Scalar T>
typename BatchSolver<T>::State& BatchSolver<T>::state() const {
  if (!state_) refuse("this solver was moved from and has no matrices");
  return *state_;
}

template <Scalar T>
void BatchSolver<T>::update(const BatchValues<T>& values) {
  state().load(values);
}
template <Scalar T>
void BatchSolver<T>::update(std::span<const T> values) {
  const State& s = state();
  check_values(values.size(), s.report.count, s.stored_count);
  update(BatchValues<T>{values.data(), s.report.count, 0});
}

template <Scalar T>
void BatchSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x,
                           const SolveOptions<T>& o) const {
  const State& s = state();
  s.solve(*s.own, b, x, o);
}

template <Scalar T>
void BatchSolver<T>::solve(std::span<const T> b, std::span<T> x, const SolveOptions<T>& o) const {
  const BatchReport& r = report();
  const Offset all = Offset{r.n} * r.count, size = static_cast<Offset>(b.size());
  if (x.size() != b.size() || (all == 0 ? size != 0 : size % all != 0))
    refuse("b has " + std::to_string(b.size()) + " entries and x " + std::to_string(x.size()) +
           " for " + std::to_string(r.count) + " systems of " + std::to_string(r.n) + " unknowns");
  const auto vectors = all == 0 ? r.count : static_cast<Index>(size / r.n);
  solve(Vectors<const T>(b.data(), r.n, vectors), Vectors<T>(x.data(), r.n, vectors), o);
}

template <Scalar T>
std::vector<T> BatchSolver<T>::solve(std::span<const T> b, const SolveOptions<T>& o) const {
  std::vector<T> x(b.size());
  solve(b, std::span<T>(x), o);
  return x;
}

template <Scalar T>
typename BatchSolver<T>::Workspace BatchSolver<T>::make_workspace() const {
  const State& s = state();
  const DeviceScope there(s.options.device());
  return report_bad_alloc("workspace", [&] { return Workspace(s.make_space(), s.id); });
}

template <Scalar T>
void BatchSolver<T>::solve(Workspace& workspace, const Vectors<const T>& b, const Vectors<T>& x,
                           const SolveOptions<T>& o) const {
  const State& s = state();
  s.solve(s.space_of(workspace), b, x, o);
}

template <Scalar T>
std::vector<Index> BatchSolver<T>::failed() const {
  return state().failed(*state().own);
}
template <Scalar T>
std::vector<Index> BatchSolver<T>::failed(const Workspace& workspace) const {
  return state().failed(state().space_of(workspace));
}
template <Scalar T>
void BatchSolver<T>::check() const {
  state().check(*state().own);
}
template <Scalar T>
void BatchSolver<T>::check(const Workspace& workspace) const {
  state().check(state().space_of(workspace));
}

template <Scalar T>
const BatchReport& BatchSolver<T>::report() const {
  return state().report;
}

#define ECHELON_INSTANTIATE(T) template class BatchSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
