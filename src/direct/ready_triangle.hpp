// direct/ready_triangle.hpp -- one triangle of a factorization with its values, ready to be
// solved with: in panels, or row by row where panels do not pay.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "direct/factor_plan.hpp"

namespace echelon {

// What one caller's solves with it write besides their answers.
template <Scalar T>
struct TriangleSpace {
  std::unique_ptr<Workspace> panels;                            // of the executor, or
  std::optional<typename Solver<T>::Workspace> plain, with_op;  // of the solvers by rows

  Offset bytes() const {
    return (panels ? panels->bytes() : 0) + (plain ? plain->bytes() : 0) +
           (with_op ? with_op->bytes() : 0);
  }
};

template <Scalar T>
class ReadyTriangle {
 public:
  // Plans panels for a supernodal method.  False if the method was left open and rows read less.
  bool plan(const FactorTriangle<T>& factor, Method method, bool open, const Options& o,
            SupernodeReport& report) {
    plan_factor(factor, method, o, plan_, report);
    if (o.method == Method::automatic && o.backend == Backend::cpu)
      plan_.threads =
          choose_threads(method, workload(factor), plan_.blocks.levels(), plan_.threads);
    return !open || worth_panels(workload(factor));
  }

  // Of the panels that are planned.
  PanelWorkload workload(const FactorTriangle<T>& factor) const {
    const Supernodes& s = plan_.blocks.supernodes;
    return {s.n,      factor.nonzeros, s.count(), s.entries(), static_cast<Offset>(s.row.size()),
            sizeof(T)};
  }

  // The values into panels; the first time also what a solve needs besides.
  void pack(const FactorTriangle<T>& factor, const Options& o) {
    if (!executor_) executor_ = make_executor<T>(plan_.method, o.backend);
    executor_->setup(plan_, fill_from_factor(plan_.blocks, factor), Sweep::symmetric, o.numeric,
                     blocks_, o.cpu.threads);
  }

  // Solvers by rows instead: for N, for op(N), or both.
  void pack_rows(const FactorTriangle<T>& factor, Op op, bool with_plain, bool with_op,
                 const Options& o) {
    pack_one(factor, Op::none, with_plain, o, plain_);
    pack_one(factor, op, with_op, o, with_op_);
  }

  TriangleSpace<T> make_space() const {
    TriangleSpace<T> space;
    if (executor_) space.panels = executor_->make_workspace(plan_);
    if (plain_) space.plain.emplace(plain_->make_workspace());
    if (with_op_) space.with_op.emplace(with_op_->make_workspace());
    return space;
  }

  // op(N) x = b.  False if some entry of x is not finite.  `threads`: 0 for all.
  // `levels`: of a profile, on a device.
  bool solve(TriangleSpace<T>& space, Op op, const Vectors<const T>& b, const Vectors<T>& x,
             T alpha, Index threads, void* stream, DeviceMarks* levels = nullptr) const {
    if (executor_) {
      if (threads <= 0 || threads > plan_.threads) threads = plan_.threads;
      SolveJob<T> job = job_of(op, b, x, alpha, threads, stream);
      job.levels = levels;
      return executor_->solve(job, *space.panels);
    }
    const bool plain = op == Op::none;
    const Solver<T>& solver = plain ? *plain_ : *with_op_;
    std::optional<typename Solver<T>::Workspace>& own = plain ? space.plain : space.with_op;
    if (!own) own.emplace(solver.make_workspace());
    solver.solve(*own, b, x,
                 {.alpha = alpha, .threads = std::max(threads, Index{0}), .stream = stream});
    return true;
  }
  // Makes the solver by rows of a transpose, which few callers need, when the first one asks for
  // it.
  void prepare(const FactorTriangle<T>& factor, Op op, const Options& o) {
    if (!executor_) pack_one(factor, op, true, o, op == Op::none ? plain_ : with_op_);
  }
  bool is_prepared(Op op) const {
    return executor_ != nullptr || (op == Op::none ? plain_ : with_op_) != nullptr;
  }

  // x = op(N) \ (D \ (N \ b)), where goes_back(); no divisor: D is one.
  bool solve_and_back(TriangleSpace<T>& space, Op op, const Vectors<const T>& b,
                      const Vectors<T>& x, T alpha, const T* divisor, void* stream) const {
    SolveJob<T> job = job_of(op, b, x, alpha, plan_.threads, stream);
    job.and_back = true;
    job.divisor = divisor;
    return executor_->solve(job, *space.panels);
  }
  bool goes_back() const { return executor_ && executor_->goes_back(); }

  // Whether the answers of this workspace so far are finite.
  bool check(TriangleSpace<T>& space) const {
    const bool plain = !space.plain || checks(*plain_, *space.plain);
    const bool with_op = !space.with_op || checks(*with_op_, *space.with_op);
    return plain && with_op && (!executor_ || executor_->check(*space.panels));
  }
  // Whether a solver's answers are finite.  It does not throw, so that the others are asked too.
  static bool checks(const Solver<T>& solver, typename Solver<T>::Workspace& space) {
    try {
      solver.check(space);
      return true;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::not_finite) throw;
      return false;
    }
  }
  Offset device_bytes() const {
    Offset bytes = executor_ ? executor_->device_bytes() : 0;
    for (const Solver<T>* solver : {plain_.get(), with_op_.get()})
      if (solver) bytes += solver->report().device_bytes;
    return bytes;
  }
  Index launches(Op op) const {
    if (executor_) return executor_->launches(op);
    const Solver<T>* const solver = op == Op::none ? plain_.get() : with_op_.get();
    return solver ? solver->report().launches : 0;
  }

  const Plan& plan() const { return plan_; }
  const BlockValues<T>& blocks() const { return blocks_; }
  // The solver by rows, if there is one.
  const Solver<T>* rows() const { return plain_ ? plain_.get() : with_op_.get(); }

  // What the levels of a solve with op(N) work on, where kernels are launched level by level.
  std::vector<LevelWork> level_work(Op op) const {
    switch (plan_.method) {
      case Method::team:
      case Method::merge:
      case Method::invert_diag:
      case Method::invert_off:
      case Method::spmv:
        return find_level_work(plan_.blocks, blocks_, op);
      default:
        return {};
    }
  }

  Offset bytes() const {
    return rows() ? rows()->report().bytes : bytes_read(plan_.blocks, blocks_);
  }
  Offset stored() const {
    Offset sum = blocks_.panel_bytes() + blocks_.spmv.bytes();
    for (const Solver<T>* solver : {plain_.get(), with_op_.get()})
      if (solver) sum += solver->report().bytes;
    return sum;
  }

 private:
  SolveJob<T> job_of(Op op, const Vectors<const T>& b, const Vectors<T>& x, T alpha, Index threads,
                     void* stream) const {
    SolveJob<T> job{plan_, none_, alpha, b, x, threads, op};
    job.blocks = &blocks_;
    job.stream = stream;
    return job;
  }
  static void pack_one(const FactorTriangle<T>& factor, Op op, bool wanted, const Options& o,
                       std::unique_ptr<Solver<T>>& solver) {
    if (!wanted && !solver) return;
    const Diagonal diagonal = factor.unit_diagonal ? Diagonal::unit : Diagonal::stored;
    if (solver)
      solver->update(factor.columns.value);
    else
      solver = std::make_unique<Solver<T>>(lower(factor.columns, {op, diagonal}), o);
  }

  Plan plan_;
  PackedValues<T> none_;  // the panels hold all values
  BlockValues<T> blocks_;
  std::unique_ptr<Executor<T>> executor_;
  std::unique_ptr<Solver<T>> plain_, with_op_;
};

}  // namespace echelon
