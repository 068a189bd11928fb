// direct/direct_solver.cpp -- solve with both triangles of a factorization, and refine.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "base/claim.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "direct/ready_triangle.hpp"
#include "direct/residual.hpp"
#include "echelon/device.hpp"
#include "echelon/direct.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_argument, text); }

[[noreturn]] void refuse_answer() {
  throw Error(ErrorCode::not_finite,
              "the answer is not finite: the right-hand side is not, or the solve overflowed");
}

template <class T>
void require_same(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  if (a != b) refuse(std::string("the new factors have another ") + what);
}

template <class T>
void require_same_pattern(const Csc<T>& a, const Csc<T>& b) {
  if (a.start != b.start || a.index != b.index) refuse("the new factors have another pattern");
}

}  // namespace

template <Scalar T>
struct DirectSolver<T>::State {
  Options options;
  Factors<T> factors;  // kept: orders and scalings for solves, patterns for updates
  DirectReport report;
  ReadyTriangle<T> lower, upper;
  std::unique_ptr<Frame<T>> frame;
  bool by_rows = false;  // the general solver serves
  bool ready = false;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
  mutable Buffer<T> correction;  // of a refinement: grown when more are asked for

  void analyze() {
    const Timer timer;
    check_options(options);
    report.n = factors.n;
    report.package = factors.package;
    report.kind = factors.kind;
    report.ordering = factors.ordering;
    report.kept_once = factors.symmetric;
    report.backend = options.backend;
    const Choice choice = choose();
    report.method = choice.method;
    report.reason = choice.reason;
    const bool open = options.method == Method::automatic && options.backend == Backend::cpu;
    by_rows = !is_supernodal(report.method) || !plan_panels(open && !factors.lower.in_panels());
    if (open && factors.lower.in_panels() && small_panels()) {
      report.method = Method::spmv;
      report.reason =
          "supernodes are too small for panels to pay: the partitioned inverse, a sparse matrix a "
          "level";
      plan_panels(false);
    }
    if (by_rows && factors.lower.in_panels())
      refuse(std::string("a factor in panels is solved on supernodes; method ") +
             name(report.method) + " does not use them");
    report.threads = lower.plan().threads;
    report.analyze_s = timer.seconds();
  }
  Choice choose() const {
    if (options.method != Method::automatic) return {options.method, "it was asked for"};
    if (options.backend == Backend::cuda) return choose_supernodal_on_device();
    return {Method::tree,
            "subtrees first, then the top shared by all threads: the fewest bytes and barriers for "
            "a complete factor"};
  }
  // A factor that comes in panels cannot be solved with row by row.
  bool small_panels() const {
    if (options.numeric.low_precision) return false;
    PanelWorkload both = lower.workload(factors.lower);
    both += factors.symmetric ? both : upper.workload(factors.upper);
    return worth_sparse_inverse(both, options.expected_solves);
  }
  bool plan_panels(bool open) {
    if (!lower.plan(factors.lower, report.method, open, options, report.lower)) return false;
    report.upper = report.lower;
    return factors.symmetric ||
           upper.plan(factors.upper, report.method, open, options, report.upper);
  }

  void setup() {
    const Timer timer;
    ready = false;
    if (frame)
      frame->load(factors);
    else
      frame = make_frame(factors, together(), options.backend);
    if (by_rows) {
      pack_rows();
    } else {
      lower.pack(factors.lower, options);
      if (!factors.symmetric) upper.pack(factors.upper, options);
    }
    report.low_precision = !by_rows && options.numeric.low_precision && !std::same_as<T, Low<T>>;
    report.kept_triangles = lower.blocks().kept_triangles + upper.blocks().kept_triangles;
    report.largest_growth = std::max(lower.blocks().largest_growth, upper.blocks().largest_growth);
    report.lower_bytes = lower.bytes();
    report.upper_bytes = factors.symmetric ? report.lower_bytes : upper.bytes();
    report.stored_bytes = lower.stored() + upper.stored();
    report.workspace_bytes = lower.workspace_bytes() + upper.workspace_bytes() + frame->bytes();
    report.lower_launches = lower.launches(Op::none);
    report.upper_launches = upper_side().launches(upper_op());
    report.setup_s = timer.seconds();
    ready = true;
  }
  Index together() const { return std::max(lower.plan().together, Index{1}); }

  // L and U as the general solver keeps them; their analysis is part of the first setup.
  void pack_rows() {
    lower.pack_rows(factors.lower, upper_op(), true, factors.symmetric, options);
    if (!factors.symmetric) upper.pack_rows(factors.upper, upper_op(), false, true, options);
    const AnalysisReport& chosen = lower.rows()->report();
    report.method = chosen.method;
    report.threads = chosen.threads;
    report.kept_once = false;
    if (options.method == Method::automatic)
      report.reason =
          "row by row, as its supernodes are too small for panels to pay; " + chosen.reason;
    for (SupernodeReport* s : {&report.lower, &report.upper}) {
      const bool of_upper = s == &report.upper && !factors.symmetric;
      *s = {};
      s->nonzeros = of_upper ? factors.upper.nonzeros : factors.lower.nonzeros;
      s->levels_found = s->levels = (of_upper ? upper : lower).rows()->report().levels;
    }
  }

  const ReadyTriangle<T>& upper_side() const { return factors.symmetric ? lower : upper; }

  // Where a solve runs.
  struct Place {
    Index threads = 0;
    void* stream = nullptr;
    DeviceMarks* levels = nullptr;
  };
  // op(N) x = b with one of the two.
  void run(const ReadyTriangle<T>& t, Op op, const Vectors<const T>& b, const Vectors<T>& x,
           Place on) const {
    if (!ready) refuse("the last update failed; this solver has no values");
    if (!t.solve(op, b, x, on.threads, on.stream, on.levels) && options.check_finite)
      refuse_answer();
  }
  // The same for callers, who may give what does not fit.
  void run_checked(const ReadyTriangle<T>& t, Op op, const Vectors<const T>& b, const Vectors<T>& x,
                   Place on) const {
    check_vectors(factors.n, b, x);
    run(t, op, b, x, on);
  }
  // With the transpose of U.  Where that is the conjugate of L, so are b and x.
  void run_upper_transposed(const Vectors<const T>& b, const Vectors<T>& x, Place on) const {
    if (!is_complex<T> || !factors.symmetric) return run_checked(upper_side(), Op::none, b, x, on);
    check_vectors(factors.n, b, x);
    frame->conjugate(b, x, on.stream);
    run(lower, Op::none, x, x, on);
    frame->conjugate(x, x, on.stream);
  }
  // U is the transpose of what is kept, or the conjugate transpose of L.
  Op upper_op() const { return factors.symmetric ? Op::conjugate : Op::transpose; }

  // A pass at a time: the vectors in between are as many as a pass takes.
  void solve(const Vectors<const T>& b, const Vectors<T>& x, void* stream,
             DeviceMarks* steps = nullptr) const {
    const Index most = together();
    for (Index k = 0; k < b.count; k += most) {
      const Index count = std::min(most, b.count - k);
      const Vectors<T> y = frame->enter(b.slice(k, count), stream, steps);
      if (steps == nullptr && in_one_launch()) {
        run_and_back(y, y, stream);
      } else {  // a profile tells them apart
        mark(steps, Step::lower, stream);
        run(lower, Op::none, y, y, {.stream = stream});
        mark(steps, Step::diagonal, stream);
        frame->divide(y, stream);
        mark(steps, Step::upper, stream);
        run(upper_side(), upper_op(), y, y, {.stream = stream});
      }
      if (frame->leave(y, x.slice(k, count), stream, steps)) check();
    }
  }
  // L, D and U, where U is kept as L and the executor goes there and back.
  bool in_one_launch() const { return factors.symmetric && lower.goes_back(); }
  void run_and_back(const Vectors<const T>& b, const Vectors<T>& x, void* stream) const {
    if (!ready) refuse("the last update failed; this solver has no values");
    if (!lower.solve_and_back(upper_op(), b, x, frame->divisor(), stream) && options.check_finite)
      refuse_answer();
  }
  void run_triangles(const Vectors<const T>& b, const Vectors<T>& x, Place on) const {
    check_vectors(factors.n, b, x);
    if (in_one_launch()) return run_and_back(b, x, on.stream);
    run(lower, Op::none, b, x, on);
    if (options.backend == Backend::cpu || is_on_device(x.data))
      frame->divide(x, on.stream);
    else if (!factors.diagonal.empty())
      divide(x);
    run(upper_side(), upper_op(), x, x, on);
  }
  // By D, with the host.
  void divide(const Vectors<T>& x) const {
    for (Index k = 0; k < x.count; ++k)
      for (Index i = 0; i < x.n; ++i) x.data[i * x.step() + k * x.stride()] /= factors.diagonal[i];
  }
  std::size_t passes(Index vectors) const {
    return static_cast<std::size_t>((vectors + together() - 1) / together());
  }
  void require_events() const {
    if (options.backend != Backend::cuda)
      refuse("a profile is made by the events of a device: it needs backend cuda");
  }
  // All are asked, so that none tells of it later.
  void check() const {
    const bool of_frame = frame->check(), of_upper = upper.check(), of_lower = lower.check();
    if (!(of_lower && of_upper && of_frame) && options.check_finite) refuse_answer();
  }
};

template <Scalar T>
DirectSolver<T>::DirectSolver(Factors<T> factors, const Options& options)
    : state_(std::make_unique<State>()) {
  report_bad_alloc("panels", [&] {
    state_->options = options;
    state_->factors = std::move(factors);
    state_->analyze();
    state_->setup();
  });
}

template <Scalar T>
DirectSolver<T>::DirectSolver(DirectSolver&&) noexcept = default;
template <Scalar T>
DirectSolver<T>& DirectSolver<T>::operator=(DirectSolver&&) noexcept = default;
template <Scalar T>
DirectSolver<T>::~DirectSolver() = default;

template <Scalar T>
void DirectSolver<T>::update(Factors<T> factors) {
  const Factors<T>& old = state_->factors;
  state_->ready = false;
  if (factors.n != old.n || factors.symmetric != old.symmetric ||
      factors.lower.in_panels() != old.lower.in_panels() || factors.kind != old.kind)
    refuse("the new factors are of another size or kind");
  require_same(factors.col_order, old.col_order, "order of columns");
  if (state_->by_rows) {
    require_same_pattern(factors.lower.columns, old.lower.columns);
    require_same_pattern(factors.upper.columns, old.upper.columns);
  }
  state_->factors = std::move(factors);
  report_bad_alloc("panels", [&] { state_->setup(); });
}

template <Scalar T>
void DirectSolver<T>::solve(const Vectors<const T>& b, const Vectors<T>& x, void* stream) const {
  check_vectors(state_->factors.n, b, x);
  const Claim claim(state_->busy, "solver");
  state_->solve(b, x, stream);
}

template <Scalar T>
void DirectSolver<T>::solve(std::span<const T> b, std::span<T> x, void* stream) const {
  solve(Vectors<const T>(b.data(), static_cast<Index>(b.size())),
        Vectors<T>(x.data(), static_cast<Index>(x.size())), stream);
}

template <Scalar T>
void DirectSolver<T>::check() const {
  state_->check();
}

template <Scalar T>
RefineReport DirectSolver<T>::solve(const CsrView<T>& a, const Vectors<const T>& b,
                                    const Vectors<T>& x, const RefineOptions& o) const {
  const Index n = state_->factors.n;
  if (a.rows != n || a.cols != n) refuse("the matrix is not of the size that was factored");
  if (static_cast<const T*>(x.data) == b.data && n > 0) refuse("refinement needs b and x apart");
  if (state_->options.backend == Backend::cuda && (is_on_device(b.data) || is_on_device(x.data)))
    refuse("refinement is done by the host: b and x must lie there, not on the device");
  solve(b, x);
  const Claim claim(state_->busy, "solver");
  RefineReport report;
  report.first_error = report.last_error = componentwise_error(a, Vectors<const T>(x), b);
  Buffer<T>& d = state_->correction;
  d.resize(std::max(d.size(), 2 * static_cast<std::size_t>(n) * b.count));
  const Vectors<T> step(d.data(), n, b.count);
  const Vectors<T> before(d.data() + static_cast<std::size_t>(n) * b.count, n, b.count);
  const double goal = std::numeric_limits<Real<T>>::epsilon();
  while (report.steps < o.steps && !(o.until && report.last_error <= goal)) {
    find_rest(a, Vectors<const T>(x), b, step);
    state_->solve(step, step, nullptr);
    copy(Vectors<const T>(x), before);
    add(x, Vectors<const T>(step));
    const double error = componentwise_error(a, Vectors<const T>(x), b);
    if (o.until && !(error < report.last_error)) {  // no better: the former one stays
      copy(Vectors<const T>(before), x);
      break;
    }
    ++report.steps;
    const bool stalled = o.until && error > report.last_error / 2;
    report.last_error = error;
    if (stalled) break;
  }
  return report;
}

template <Scalar T>
void DirectSolver<T>::solve_lower(const Vectors<const T>& b, const Vectors<T>& x, Index threads,
                                  void* stream) const {
  const Claim claim(state_->busy, "solver");
  state_->run_checked(state_->lower, Op::none, b, x, {threads, stream});
}
template <Scalar T>
void DirectSolver<T>::solve_upper(const Vectors<const T>& b, const Vectors<T>& x, Index threads,
                                  void* stream) const {
  const Claim claim(state_->busy, "solver");
  state_->run_checked(state_->upper_side(), state_->upper_op(), b, x, {threads, stream});
}
template <Scalar T>
void DirectSolver<T>::solve_triangles(const Vectors<const T>& b, const Vectors<T>& x, Index threads,
                                      void* stream) const {
  const Claim claim(state_->busy, "solver");
  state_->run_triangles(b, x, {threads, stream});
}
template <Scalar T>
void DirectSolver<T>::solve_lower_transposed(const Vectors<const T>& b, const Vectors<T>& x,
                                             Index threads, void* stream) const {
  const Claim claim(state_->busy, "solver");
  state_->run_checked(state_->lower, Op::transpose, b, x, {threads, stream});
}
template <Scalar T>
void DirectSolver<T>::solve_upper_transposed(const Vectors<const T>& b, const Vectors<T>& x,
                                             Index threads, void* stream) const {
  const Claim claim(state_->busy, "solver");
  state_->run_upper_transposed(b, x, {threads, stream});
}

template <Scalar T>
DirectProfile DirectSolver<T>::profile(const Vectors<const T>& b, const Vectors<T>& x,
                                       void* stream) const {
  const State& s = *state_;
  s.require_events();
  check_vectors(s.factors.n, b, x);
  const Claim claim(state_->busy, "solver");
  DeviceMarks steps(step_count * s.passes(b.count));
  s.solve(b, x, stream, &steps);
  const std::vector<double> seconds = steps.take(step_count);
  s.check();
  const auto of = [&](Step step) { return seconds[static_cast<std::size_t>(step)]; };
  return {of(Step::copy_in), of(Step::permute_in),  of(Step::lower),   of(Step::diagonal),
          of(Step::upper),   of(Step::permute_out), of(Step::copy_out)};
}

template <Scalar T>
std::vector<LevelTime> DirectSolver<T>::profile_levels(Uplo part, const Vectors<const T>& b,
                                                       const Vectors<T>& x, void* stream) const {
  const State& s = *state_;
  s.require_events();
  const Claim claim(state_->busy, "solver");
  const ReadyTriangle<T>& t = part == Uplo::lower ? s.lower : s.upper_side();
  const Op op = part == Uplo::lower ? Op::none : s.upper_op();
  const std::vector<LevelWork> work = t.level_work(op);
  if (work.empty()) return {};
  // One more a vector, for what comes after its levels.
  DeviceMarks levels((work.size() + 1) * static_cast<std::size_t>(std::max(b.count, Index{1})));
  s.run_checked(t, op, b, x, {.stream = stream, .levels = &levels});
  const std::vector<double> seconds = levels.take(static_cast<int>(work.size()));
  s.check();
  std::vector<LevelTime> times;
  for (std::size_t l = 0; l < work.size(); ++l) times.push_back({work[l], seconds[l]});
  return times;
}

template <Scalar T>
const DirectReport& DirectSolver<T>::report() const {
  return state_->report;
}

#define ECHELON_INSTANTIATE(T) template class DirectSolver<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
