// exec/cpu/panels/blas_executor.cpp -- the paper's first two options: BLAS calls per panel, one
// panel after the other, or the panels of a level in parallel.
// SPDX-License-Identifier: BSD-3-Clause
//
// One after the other, BLAS may use its own threads.  In parallel it must not: our threads claim
// the tasks of a level, which are the pieces of a phase (phases.hpp).
#include <memory>

#include "base/blas_threads.hpp"
#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/pool.hpp"
#include "exec/blas_panel.hpp"
#include "exec/cpu/panels/copy_answer.hpp"
#include "exec/cpu/phases.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

template <class T>
struct BlasWorkspace final : Workspace {
  explicit BlasWorkspace(const Plan& plan) {
    space.resize(static_cast<std::size_t>(plan.blocks.space()) * plan.rhs_per_pass);
    answer.resize(static_cast<std::size_t>(plan.blocks.n) * plan.rhs_per_pass);
  }
  Offset bytes() const override {
    return static_cast<Offset>((space.size() + answer.size()) * sizeof(T));
  }
  Buffer<T> space, answer;
  Phases phases;
};

// One pass of a few right-hand sides through the panels.  Each task is one supernode.
template <class T>
struct BlasPass {
  const SolveJob<T>& job;
  const BlockPlan& plan;
  bool pull;
  Index column, count;
  T* space;
  T* answer;

  bool conjugate() const { return job.op == Op::conjugate; }
  T right_side(Index k, Index v) const {
    const T b = job.b.data[plan.unknown(k) * job.b.step() + (column + v) * job.b.stride()];
    return conjugate_if(conjugate(), job.alpha * b);
  }
  void run(Index t) const {
    const Index s = plan.order[t], w = plan.supernodes.width(s), h = plan.supernodes.height(s);
    const T* const a = job.blocks->value.data() + plan.value_start[t];
    T* const x = space + plan.space_start[t];
    const auto ld = static_cast<Index>(plan.space());
    if (pull)
      fetch_answers(t, x, ld);
    else
      fetch_left(t, x, ld);
    solve_panel(HostBlas(), BlasPanel<T>{w, h, a, x, ld, count}, pull);
    for (Index v = 0; v < count; ++v)
      std::copy_n(x + Offset{v} * ld, w, answer + Offset{v} * plan.n + plan.supernodes.first[s]);
  }

  void fetch_left(Index t, T* x, Index ld) const {
    const Index s = plan.order[t], first = plan.supernodes.first[s];
    for (Index v = 0; v < count; ++v) {
      const T* const left = space + Offset{v} * ld;
      for (Index j = 0; j < plan.supernodes.width(s); ++j) {
        T sum = right_side(first + j, v);
        for (Offset q = plan.fetch_start[first + j]; q < plan.fetch_start[first + j + 1]; ++q)
          sum += left[plan.fetch[q]];
        x[Offset{v} * ld + j] = sum;
      }
    }
  }

  void fetch_answers(Index t, T* x, Index ld) const {
    const Index s = plan.order[t], w = plan.supernodes.width(s);
    const auto rows = plan.supernodes.rows(s);
    for (Index v = 0; v < count; ++v) {
      T* const xv = x + Offset{v} * ld;
      for (Index j = 0; j < w; ++j) xv[j] = right_side(plan.supernodes.first[s] + j, v);
      for (std::size_t i = 0; i < rows.size(); ++i)
        xv[w + i] = answer[Offset{v} * plan.n + rows[i]];
    }
  }
};

template <class T>
class BlasExecutor final : public Executor<T> {
 public:
  explicit BlasExecutor(bool side_by_side) : side_by_side_(side_by_side) {}

  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<BlasWorkspace<T>>(plan);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& space = static_cast<BlasWorkspace<T>&>(workspace);
    const BlockPlan& plan = job.plan.blocks;
    const bool pull = plan.pull != (job.op != Op::none);
    bool finite = true;
    for (Index column = 0; column < job.x.count; column += job.plan.rhs_per_pass) {
      const Index count = std::min(job.plan.rhs_per_pass, job.x.count - column);
      const BlasPass<T> pass{
          job, plan, pull, column, count, space.space.data(), space.answer.data()};
      if (side_by_side_)
        run_side_by_side(pass, space);
      else
        for (Index t = 0; t < plan.tasks(); ++t) pass.run(pull ? plan.tasks() - 1 - t : t);
      finite = is_finite(copy_answer(job, space.answer.data(), column, count, 0, plan.n)) && finite;
    }
    return finite;
  }

 private:
  static void run_side_by_side(const BlasPass<T>& pass, BlasWorkspace<T>& space) {
    const OneBlasThread quiet;
    const BlockPlan& plan = pass.plan;
    const auto level = [&](Index p) { return pass.pull ? plan.levels() - 1 - p : p; };
    space.phases.reset();
    run_with_help(pass.job.threads, [&](Index) {
      space.phases.walk(
          plan.levels(),
          [&](Index p) { return plan.level_start[level(p) + 1] - plan.level_start[level(p)]; },
          [&](Index p, Index k) { pass.run(plan.level_start[level(p)] + k); });
    });
  }

  bool side_by_side_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_blas_executor(bool side_by_side) {
  return std::make_unique<BlasExecutor<T>>(side_by_side);
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_blas_executor(bool);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
