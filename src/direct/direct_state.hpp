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
#include "direct/choose_way.hpp"
#include "direct/refine.hpp"
#include "echelon/device.hpp"
#include "echelon/direct.hpp"
#include "solver/refuse_answer.hpp"

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
  Csc<T> lower_columns, upper_columns;  // of factors in panels that are solved row by row
  Way<T> lower, upper;                  // symmetric factors in panels share one triangle
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
    report.factor_reason = factors.reason;
    report.refine_steps = factors.refine_steps;
    report.backend = options.backend;
    Way<T> panels, none;
    lower = choose_way(lower_side(), options, panels);
    upper = choose_way(upper_side(), options, factors.symmetric ? panels : none);
    report.method = lower.method;
    report.upper_method = upper.method;
    report.reason = lower.reason;
    if (!shares_panels() && upper.reason != lower.reason)
      report.reason = "L: " + lower.reason + ".  U: " + upper.reason;
    report.lower = lower.supernodes;
    report.upper = upper.supernodes;
    report.symmetric_storage = shares_panels();
    report.threads = std::max(lower.threads, upper.threads);
    report.nnz = report.lower.nonzeros + report.upper.nonzeros;
    if (options.backend == Backend::cpu)
      report.vector_unit = find_vector_unit(options.cpu.vector_unit);
    report.analysis_s = timer.seconds() - lower.load_s - upper.load_s;
  }
  Side<T> lower_side() {
    return {factors.n, factors.lower, Op::none, factors.symmetric, lower_columns};
  }
  Side<T> upper_side() {
    if (factors.symmetric) return {factors.n, factors.lower, upper_op(), true, lower_columns};
    return {factors.n, factors.upper, upper_op(), false, upper_columns};
  }
  // New values of the columns that were read from panels.
  void take_columns() {
    const Index threads = options.cpu.threads;
    if (lower_columns.cols > 0) take_values(factors.lower.panels, lower_columns, threads);
    if (upper_columns.cols > 0) take_values(factors.upper.panels, upper_columns, threads);
  }
  bool shares_panels() const { return lower.triangle == upper.triangle; }

  // `loaded`: the triangles have the values of these factors.
  void setup(bool loaded) {
    const Timer timer;
    ready = false;
    if (permute_scale)
      permute_scale->load(factors);
    else
      permute_scale = make_permute_scale(factors, rhs_per_pass(), options.backend);
    if (!loaded) {
      lower.load(lower_side(), options.cpu.threads);
      if (!shares_panels()) upper.load(upper_side(), options.cpu.threads);
    }
    if (!own) own = make_space();
    fill_report();
    report.setup_s = timer.seconds();
    if (loaded) report.setup_s += lower.load_s + upper.load_s;
    ready = true;
  }
  void fill_report() {
    const PreparedTriangle<T>&l = *lower.triangle, &u = *upper.triangle;
    const bool two = !shares_panels();
    report.low_precision = options.numeric.low_precision && !std::same_as<T, Low<T>>;
    report.uninverted_blocks =
        l.blocks().uninverted_blocks + (two ? u.blocks().uninverted_blocks : 0);
    report.largest_growth = std::max(l.blocks().largest_growth, u.blocks().largest_growth);
    report.lower_bytes = l.bytes();
    report.upper_bytes = u.bytes();
    report.bytes = report.lower_bytes + report.upper_bytes;
    report.stored_bytes = l.stored_bytes() + (two ? u.stored_bytes() : 0);
    report.workspace_bytes = own->bytes();
    report.device_bytes = l.device_bytes() + (two ? u.device_bytes() : 0);
    report.lower_launches = l.launches(Op::none);
    report.upper_launches = u.launches(read_upper(Op::none).op);
  }
  // Of a full solve.  On a device more than the usual number only if setup is asked for them.
  Index rhs_per_pass() const {
    const Plan& plan = lower.triangle->plan();
    const Index wide = options.backend == Backend::cuda && plan.method == Method::tree
                           ? std::min(plan.cuda.right_sides, plan.cuda.rhs_per_pass)
                           : 1;
    return std::max({plan.rhs_per_pass, wide, Index{1}});
  }
  std::unique_ptr<Space> make_space() const {
    auto space = std::make_unique<Space>();
    space->lower = lower.triangle->make_space();
    if (!shares_panels()) space->upper = upper.triangle->make_space();
    space->permute_scale = permute_scale->make_workspace();
    if (options.backend == Backend::cuda) space->order = std::make_unique<StreamOrder>();
    return space;
  }
  Space& space_of(const Workspace& w) const {
    if (!w.space_) refuse_input("this workspace was moved from");
    if (w.owner_ != id) refuse_input("this workspace was made by another solver");
    return *w.space_;
  }

  TriangleSpace& space_for(const PreparedTriangle<T>& t, Space& space) const {
    return &t == lower.triangle.get() ? space.lower : space.upper;
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

  // A triangle and the operation to solve with, on at most so many threads, between conjugated
  // vectors or not.
  struct Reading {
    const PreparedTriangle<T>& triangle;
    Index threads;
    Op op;
    bool conjugated = false;
  };
  static Reading as_is(const Way<T>& way) { return {*way.triangle, way.threads, way.op}; }
  // The transpose of what `way` solves with, or its conjugate transpose.  By rows, a triangle needs
  // a further form for that; panels do not, and know their transposes in one direction.
  static Reading turned(const Way<T>& way, Op op) {
    if (way.op == Op::none) return {*way.triangle, way.threads, op};
    return {*way.triangle, way.threads, Op::none, is_complex<T> && op != way.op};
  }
  // Symmetric factors have U = L*, so that no transpose needs a form of its own.
  Reading read_lower(Op op) const {
    if (op == Op::none) return as_is(lower);
    if (!factors.symmetric) return turned(lower, op);
    Reading r = as_is(upper);
    r.conjugated = is_complex<T> && op == Op::transpose && r.op == Op::none;
    if (r.op != Op::none) r.op = op;
    return r;
  }
  Reading read_upper(Op op) const {
    if (op == Op::none) return as_is(upper);
    if (!factors.symmetric) return turned(upper, op);
    Reading r = as_is(lower);
    r.conjugated = is_complex<T> && op == Op::transpose;
    return r;
  }
  // U from the stored triangle: the transpose of `upper`, or the conjugate transpose of L.
  Op upper_op() const { return factors.symmetric ? Op::conjugate : Op::transpose; }

  // op(N) x = alpha b with one of the two.  False if an entry of x is not finite; device vectors
  // tell later, to check().
  bool run(const Reading& r, T alpha, const Vectors<const T>& b, const Vectors<T>& x,
           Place on) const {
    require_values();
    if (r.conjugated) {
      permute_scale->conjugate(b, x, on.stream);
      const bool finite = run({r.triangle, r.threads, r.op}, conjugate_if(true, alpha), x, x, on);
      permute_scale->conjugate(x, x, on.stream);
      return finite;
    }
    return r.triangle.solve(
        space_for(r.triangle, on.space), b, x,
        {.op = r.op,
         .alpha = alpha,
         .threads = on.threads > 0 ? std::min(on.threads, r.threads) : r.threads,
         .stream = on.stream,
         .levels = on.levels});
  }

  // op(L D U) x = alpha b; false as run().
  bool run_triangles(Op op, T alpha, const Vectors<const T>& b, const Vectors<T>& x, Place on,
                     DeviceMarks* steps = nullptr) const {
    require_values();
    if (op == Op::conjugate && is_complex<T>) {
      permute_scale->conjugate(b, x, on.stream);
      const bool finite = run_triangles(Op::transpose, conjugate_if(true, alpha), x, x, on);
      permute_scale->conjugate(x, x, on.stream);
      return finite;
    }
    const bool plain = op == Op::none;
    if (plain && steps == nullptr && in_one_launch())  // a profile measures the parts
      return run_and_back(alpha, b, x, on);
    mark(steps, Step::lower, on.stream);
    const bool finite =
        run(plain ? read_lower(Op::none) : read_upper(Op::transpose), alpha, b, x, on);
    mark(steps, Step::diagonal, on.stream);
    if (options.backend == Backend::cpu || is_on_device(x.data))
      permute_scale->divide(x, on.stream);
    else if (!factors.diagonal.empty())
      divide(x);
    mark(steps, Step::upper, on.stream);
    return run(plain ? read_upper(Op::none) : read_lower(Op::transpose), T(1), x, x, on) && finite;
  }
  // L, D and U, where U is kept as L and the executor goes there and back.
  bool in_one_launch() const { return shares_panels() && lower.triangle->goes_back(); }
  bool run_and_back(T alpha, const Vectors<const T>& b, const Vectors<T>& x, Place on) const {
    return lower.triangle->solve(on.space.lower, b, x,
                                 {.op = upper_op(),
                                  .alpha = alpha,
                                  .stream = on.stream,
                                  .and_back = true,
                                  .divisor = permute_scale->divisor()});
  }

  // Without permutations and scalings a host needs no vectors in between.
  bool in_natural_order() const {
    return options.backend == Backend::cpu && factors.row_order.empty() &&
           factors.col_order.empty() && factors.row_scale.empty() && factors.col_scale.empty();
  }
  // A pass at a time: the vectors in between are as many as a pass takes.  False as run().
  bool run_full(Op op, T alpha, const Vectors<const T>& b, const Vectors<T>& x, Place on,
                DeviceMarks* steps = nullptr) const {
    if (in_natural_order() && steps == nullptr) return run_triangles(op, alpha, b, x, on);
    const StreamTurn turn(on.space.order.get(), on.stream);
    const Index most = rhs_per_pass();
    bool finite = true;
    for (Index k = 0; k < b.count; k += most) {
      const Index count = std::min(most, b.count - k);
      const Vectors<T> y =
          permute_scale->enter(*on.space.permute_scale, b.slice(k, count), op, on.stream, steps);
      finite = run_triangles(op, alpha, y, y, on, steps) && finite;
      if (permute_scale->leave(*on.space.permute_scale, y, x.slice(k, count), op, on.stream, steps))
        finite = take_checks(on.space) && finite;
    }
    return finite;
  }

  void solve(Space& space, const Vectors<const T>& b, const Vectors<T>& x,
             const SolveOptions<T>& o) const {
    check_vectors(factors.n, b, x);
    if (o.threads < 0) refuse_input("threads cannot be negative");
    require_finite(run_part(b, x, o, {space, o.threads, o.stream}), x);
  }
  bool run_part(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o,
                Place on) const {
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
  // All stages have run, so that x is the answer and can be searched.
  void require_finite(bool finite, const Vectors<T>& x) const {
    if (finite || !options.check_finite) return;
    if (options.backend == Backend::cpu || !is_on_device(x.data)) refuse_unless_finite(x);
    refuse_answer();
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
  bool take_checks(Space& space) const {
    const bool vectors_finite = permute_scale->check(*space.permute_scale);
    const bool upper_finite = shares_panels() || upper.triangle->check(space.upper);
    const bool lower_finite = lower.triangle->check(space.lower);
    return lower_finite && upper_finite && vectors_finite;
  }
  void check(Space& space) const {
    if (!take_checks(space) && options.check_finite) refuse_answer();
  }
};

}  // namespace echelon
