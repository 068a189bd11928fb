// direct/direct_state.hpp -- the data of a DirectSolver, and its solves.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

#include "base/claim.hpp"
#include "base/number.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "base/unique_id.hpp"
#include "base/vector_unit.hpp"
#include "direct/factor_plan.hpp"
#include "direct/refine.hpp"
#include "echelon/device.hpp"
#include "echelon/direct.hpp"
#include "solver/prepared_triangle.hpp"

namespace echelon {

[[noreturn]] inline void refuse_input(const std::string& text) {
  throw Error(ErrorCode::bad_argument, text);
}

[[noreturn]] inline void refuse_answer() {
  throw Error(ErrorCode::not_finite,
              "the answer is not finite: the right-hand side is not, or the solve overflowed");
}

template <Scalar T>
struct DirectSolver<T>::Workspace::Space {
  TriangleSpace lower, upper;
  std::unique_ptr<echelon::Workspace> permute_scale;
  std::unique_ptr<StreamOrder> order;  // of the vectors of permute_scale, on a device
  Buffer<T> correction;                // of a refinement; grows with the number of vectors
  std::atomic_flag busy = ATOMIC_FLAG_INIT;

  Offset bytes() const { return lower.bytes() + upper.bytes() + permute_scale->bytes(); }
};

template <Scalar T>
struct DirectSolver<T>::State {
  using Space = typename Workspace::Space;

  const std::uint64_t id = unique_id();  // unlike an address, never used again
  Options options;
  Factors<T> factors;  // kept: orders and scalings for solves, patterns for updates
  DirectReport report;
  bool by_rows = false;  // the triangles are solved row by row, not in panels
  // In panels, `lower` holds L and `upper` the transpose of U; symmetric factors have no `upper`.
  // By rows, they hold L and U.
  std::optional<PreparedTriangle<T>> lower, upper;
  std::unique_ptr<PermuteScale<T>> permute_scale;
  bool ready = false;  // the values passed all checks
  std::unique_ptr<Space> own;

  void analyze() {
    const Timer timer;
    check_options(options);
    report.n = factors.n;
    report.package = factors.package;
    report.kind = factors.kind;
    report.ordering = factors.ordering;
    report.backend = options.backend;
    const Choice choice = choose();
    report.method = choice.method;
    report.reason = choice.reason;
    if (!plan_panels()) plan_rows();
    report.symmetric_storage = factors.symmetric && !by_rows;
    report.threads = std::max(lower->plan().threads, upper_side().plan().threads);
    report.nnz = report.lower.nonzeros + report.upper.nonzeros;
    if (options.backend == Backend::cpu)
      report.vector_unit = find_vector_unit(options.cpu.vector_unit);
    report.analysis_s = timer.seconds();
  }
  Choice choose() const {
    if (options.method != Method::automatic) return {options.method, "it was asked for"};
    if (options.backend == Backend::cuda)
      return choose_supernodal_on_device(
          fits_shared_memory(Method::tree, shared_memory_for(options.cuda)));
    return {Method::tree,
            "subtrees first, then the top shared by all threads: the fewest bytes and barriers for "
            "a complete factor"};
  }

  // False if the method does not use supernodes, or was left open and rows read less.  A factor
  // that comes in panels cannot be solved row by row; small panels become sparse matrices instead.
  bool plan_panels() {
    if (!is_supernodal(report.method)) return false;
    const bool open = options.method == Method::automatic && options.backend == Backend::cpu;
    const bool in_panels = factors.lower.in_panels();
    FactorPlan l = plan_factor(factors.lower, report.method, options, report.lower), u;
    if (open && !in_panels && !worth_panels(l.workload)) return false;
    report.upper = report.lower;
    if (!factors.symmetric) {
      u = plan_factor(factors.upper, report.method, options, report.upper);
      if (open && !in_panels && !worth_panels(u.workload)) return false;
    }
    PanelWorkload both = l.workload;
    both += factors.symmetric ? l.workload : u.workload;
    if (open && in_panels && report.method != Method::spmv && !options.numeric.low_precision &&
        worth_sparse_inverse(both, options.expected_solves)) {
      report.method = Method::spmv;
      report.reason =
          "supernodes are too small for panels to pay: the partitioned inverse, one sparse matrix "
          "per level";
      return plan_panels();
    }
    lower.emplace(l.plan, options);
    if (!factors.symmetric) upper.emplace(u.plan, options);
    return true;
  }

  void plan_rows() {
    if (factors.lower.in_panels())
      refuse_input(std::string("a factor in panels is solved on supernodes; method ") +
                   name(report.method) + " does not use them");
    by_rows = true;
    const Analysis l(by_columns(factors.lower, Op::none), options);
    const Analysis u(by_columns(upper_factor(), upper_op()), options);
    lower.emplace(l);
    upper.emplace(u);
    report.method = l.report().method;
    if (options.method == Method::automatic)
      report.reason =
          "row by row, as its supernodes are too small for panels to pay; " + l.report().reason;
    report.lower = report.upper = {};
    report.lower.nonzeros = factors.lower.nonzeros;
    report.upper.nonzeros = upper_factor().nonzeros;
    report.lower.levels_found = report.lower.levels = l.report().levels;
    report.upper.levels_found = report.upper.levels = u.report().levels;
  }
  const FactorTriangle<T>& upper_factor() const {
    return factors.symmetric ? factors.lower : factors.upper;
  }
  static Triangle<T> by_columns(const FactorTriangle<T>& factor, Op op) {
    const Diagonal diagonal = factor.unit_diagonal ? Diagonal::unit : Diagonal::stored;
    return echelon::lower(factor.columns, {op, diagonal});
  }

  void setup() {
    const Timer timer;
    ready = false;
    if (permute_scale)
      permute_scale->load(factors);
    else
      permute_scale = make_permute_scale(factors, rhs_per_pass(), options.backend);
    if (by_rows) {
      lower->load(factors.lower.columns.value, false);
      upper->load(upper_factor().columns.value, is_complex<T> && upper_op() == Op::conjugate);
    } else {
      lower->load(factors.lower);
      if (upper) upper->load(factors.upper);
    }
    if (!own) own = make_space();
    fill_report();
    report.setup_s = timer.seconds();
    ready = true;
  }
  void fill_report() {
    const PreparedTriangle<T>& u = upper_side();
    report.low_precision = !by_rows && options.numeric.low_precision && !std::same_as<T, Low<T>>;
    report.uninverted_blocks = lower->blocks().uninverted_blocks;
    if (upper) report.uninverted_blocks += upper->blocks().uninverted_blocks;
    report.largest_growth = std::max(lower->blocks().largest_growth, u.blocks().largest_growth);
    report.lower_bytes = lower->bytes();
    report.upper_bytes = u.bytes();
    report.bytes = report.lower_bytes + report.upper_bytes;
    report.stored_bytes = lower->stored_bytes() + (upper ? upper->stored_bytes() : 0);
    report.workspace_bytes = own->bytes();
    report.device_bytes = lower->device_bytes() + (upper ? upper->device_bytes() : 0);
    report.lower_launches = lower->launches(Op::none);
    report.upper_launches = u.launches(read_upper(Op::none).op);
  }
  Index rhs_per_pass() const { return std::max(lower->plan().rhs_per_pass, Index{1}); }
  std::unique_ptr<Space> make_space() const {
    auto space = std::make_unique<Space>();
    space->lower = lower->make_space();
    if (upper) space->upper = upper->make_space();
    space->permute_scale = permute_scale->make_workspace();
    if (options.backend == Backend::cuda) space->order = std::make_unique<StreamOrder>();
    return space;
  }
  Space& space_of(const Workspace& w) const {
    if (!w.space_) refuse_input("this workspace was moved from");
    if (w.owner_ != id) refuse_input("this workspace was made by another solver");
    return *w.space_;
  }

  const PreparedTriangle<T>& upper_side() const { return upper ? *upper : *lower; }
  TriangleSpace& space_for(const PreparedTriangle<T>& t, Space& space) const {
    return &t == &*lower ? space.lower : space.upper;
  }

  // On the solver's device: body(space), which no other call has meanwhile.
  template <class Body>
  auto enter(Space& space, const Body& body) const {
    const DeviceScope there(options.device());
    const Claim claim(space.busy, "workspace");
    return body(space);
  }

  // The workspace, threads and stream of a solve.
  struct Place {
    Space& space;
    Index threads = 0;
    void* stream = nullptr;
    DeviceMarks* levels = nullptr;
  };
  void require_values() const {
    if (!ready) refuse_input("the last update failed; this solver has no values");
  }

  // A triangle N and the operation: op(N), between conjugated vectors or not.
  struct Reading {
    const PreparedTriangle<T>& triangle;
    Op op;
    bool conjugated = false;
  };
  // By rows, symmetric factors have both triangles, so that no transpose needs a form of its own.
  Reading read_lower(Op op) const {
    if (!by_rows || !factors.symmetric || op == Op::none) return {*lower, op};
    return {*upper, Op::none, is_complex<T> && op == Op::transpose};
  }
  Reading read_upper(Op op) const {
    if (by_rows && (!factors.symmetric || op == Op::none)) return {*upper, op};
    if (op == Op::none) return {upper_side(), upper_op()};
    const PreparedTriangle<T>& turned = by_rows ? *lower : upper_side();
    return {turned, Op::none, is_complex<T> && (op == Op::conjugate) != factors.symmetric};
  }
  // U from the stored triangle: the transpose of `upper`, or the conjugate transpose of L.
  Op upper_op() const { return factors.symmetric ? Op::conjugate : Op::transpose; }

  // op(N) x = alpha b with one of the two.
  void run(const Reading& r, T alpha, const Vectors<const T>& b, const Vectors<T>& x,
           Place on) const {
    require_values();
    if (r.conjugated) {
      permute_scale->conjugate(b, x, on.stream);
      run({r.triangle, r.op}, conjugate_if(true, alpha), x, x, on);
      return permute_scale->conjugate(x, x, on.stream);
    }
    if (!r.triangle.solve(space_for(r.triangle, on.space), b, x,
                          {.op = r.op,
                           .alpha = alpha,
                           .threads = on.threads,
                           .stream = on.stream,
                           .levels = on.levels}) &&
        options.check_finite)
      refuse_answer();
  }

  // op(L D U) x = alpha b.
  void run_triangles(Op op, T alpha, const Vectors<const T>& b, const Vectors<T>& x, Place on,
                     DeviceMarks* steps = nullptr) const {
    require_values();
    if (op == Op::conjugate && is_complex<T>) {
      permute_scale->conjugate(b, x, on.stream);
      run_triangles(Op::transpose, conjugate_if(true, alpha), x, x, on);
      return permute_scale->conjugate(x, x, on.stream);
    }
    const bool plain = op == Op::none;
    if (plain && steps == nullptr && in_one_launch())  // a profile measures the parts
      return run_and_back(alpha, b, x, on);
    mark(steps, Step::lower, on.stream);
    run(plain ? read_lower(Op::none) : read_upper(Op::transpose), alpha, b, x, on);
    mark(steps, Step::diagonal, on.stream);
    if (options.backend == Backend::cpu || is_on_device(x.data))
      permute_scale->divide(x, on.stream);
    else if (!factors.diagonal.empty())
      divide(x);
    mark(steps, Step::upper, on.stream);
    run(plain ? read_upper(Op::none) : read_lower(Op::transpose), T(1), x, x, on);
  }
  // L, D and U, where U is kept as L and the executor goes there and back.
  bool in_one_launch() const { return !upper && lower->goes_back(); }
  void run_and_back(T alpha, const Vectors<const T>& b, const Vectors<T>& x, Place on) const {
    if (!lower->solve(on.space.lower, b, x,
                      {.op = upper_op(),
                       .alpha = alpha,
                       .stream = on.stream,
                       .and_back = true,
                       .divisor = permute_scale->divisor()}) &&
        options.check_finite)
      refuse_answer();
  }

  // A pass at a time: the vectors in between are as many as a pass takes.
  void run_full(Op op, T alpha, const Vectors<const T>& b, const Vectors<T>& x, Place on,
                DeviceMarks* steps = nullptr) const {
    const StreamTurn turn(on.space.order.get(), on.stream);
    const Index most = rhs_per_pass();
    for (Index k = 0; k < b.count; k += most) {
      const Index count = std::min(most, b.count - k);
      const Vectors<T> y =
          permute_scale->enter(*on.space.permute_scale, b.slice(k, count), op, on.stream, steps);
      run_triangles(op, alpha, y, y, on, steps);
      if (permute_scale->leave(*on.space.permute_scale, y, x.slice(k, count), op, on.stream, steps))
        check(on.space);
    }
  }

  void solve(Space& space, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o) const {
    check_vectors(factors.n, b, x);
    if (o.threads < 0) refuse_input("threads cannot be negative");
    const Place on{space, o.threads, o.stream};
    switch (o.part) {
      case Part::full:
        return run_full(o.op, o.alpha, b, x, on);
      case Part::lower:
        return run(read_lower(o.op), o.alpha, b, x, on);
      case Part::upper:
        return run(read_upper(o.op), o.alpha, b, x, on);
      case Part::triangles:
        return run_triangles(o.op, o.alpha, b, x, on);
    }
    refuse_input("there is no such part of a factorization");
  }

  RefineReport solve_refined(Space& space, const CsrView<T>& a, const Vectors<const T>& b,
                             const Vectors<T>& x, const RefineOptions& o) const {
    if (a.rows != factors.n || a.cols != factors.n)
      refuse_input("the matrix is not of the size that was factored");
    if (static_cast<const T*>(x.data) == b.data && factors.n > 0 && b.count > 0)
      refuse_input("refinement needs b and x apart");
    if (options.backend == Backend::cuda && (is_on_device(b.data) || is_on_device(x.data)))
      refuse_input("refinement is done by the host: b and x must lie there, not on the device");
    solve(space, b, x, {});
    return refine(a, b, x, o, {space.correction, options.cpu.threads},
                  [&](const Vectors<T>& r) { solve(space, r, r, {}); });
  }

  // x = D \ x, for vectors on the host.
  void divide(const Vectors<T>& x) const {
    for (Index k = 0; k < x.count; ++k)
      for (Index i = 0; i < x.n; ++i) x.data[i * x.step() + k * x.stride()] /= factors.diagonal[i];
  }
  std::size_t passes(Index vectors) const {
    return static_cast<std::size_t>((vectors + rhs_per_pass() - 1) / rhs_per_pass());
  }
  void require_events() const {
    if (options.backend != Backend::cuda)
      refuse_input("a profile is made by the events of a device: it needs backend cuda");
  }
  // All are checked, so that no later check reports an earlier solve.
  void check(Space& space) const {
    const bool vectors_finite = permute_scale->check(*space.permute_scale);
    const bool upper_finite = !upper || upper->check(space.upper);
    const bool lower_finite = lower->check(space.lower);
    if (!(lower_finite && upper_finite && vectors_finite) && options.check_finite) refuse_answer();
  }
};

}  // namespace echelon
