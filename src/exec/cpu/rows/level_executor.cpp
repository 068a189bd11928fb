// exec/cpu/rows/level_executor.cpp -- LEVR and LEVC: one level after the other, by rows or by
// columns.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Levels are phases (phases.hpp), split into pieces of at least `grain` unknowns.  By
// rows, a piece writes only its own x and reads x of earlier levels, which are visible since the
// end of their phase.  By columns, pieces subtract atomically from x of later levels, and read
// their own x, which is final since the phase before.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithms 1 and 2.
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "exec/column_kernel.hpp"
#include "exec/cpu/phases.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/row_kernel.hpp"

namespace echelon {
namespace {

constexpr Index grain = 32;  // unknowns: fewer are not worth another core's cache misses
constexpr Index shares = 4;  // pieces per thread: a late thread takes fewer

struct LevelWorkspace final : Workspace {
  Phases phases;
  Offset bytes() const override { return sizeof(*this); }
};

// The levels of a plan, split for `threads` threads.
struct Levels {
  const Plan& plan;
  Index threads;

  Index count() const { return static_cast<Index>(plan.level_start.size()) - 1; }
  Index size(Index l) const { return plan.level_start[l + 1] - plan.level_start[l]; }
  Index pieces(Index l) const { return pieces_of(size(l)); }
  // Pieces of n unknowns.
  Index pieces_of(Index n) const {
    return threads == 1 ? 1 : std::clamp<Index>(n / grain, 1, shares * threads);
  }
  // First position of piece k of level l in the packed order.
  Index begin(Index l, Index k) const {
    return plan.level_start[l] + static_cast<Index>(piece_begin(size(l), k, pieces(l)));
  }
};

template <class T>
class LevelExecutor : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan&) const override {
    return std::make_unique<LevelWorkspace>();
  }
};

template <class T>
class LevelRowExecutor final : public LevelExecutor<T> {
 public:
  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    Phases& phases = static_cast<LevelWorkspace&>(workspace).phases;
    const Levels levels{job.plan, job.threads};
    return for_each_row_pass(job, [&](const RowPass<T>& pass, int columns) {
      const auto rows = find_row_kernel(job, columns);
      phases.reset();
      return run_team<Real<T>>(job.threads, [&](Index) {
        Real<T> probe = 0;
        phases.walk(
            levels.count(), [&](Index l) { return levels.pieces(l); },
            [&](Index l, Index k) {
              probe += rows(pass, levels.begin(l, k), levels.begin(l, k + 1));
            });
        return probe;
      });
    });
  }
};

template <class T>
class LevelColumnExecutor final : public LevelExecutor<T> {
 public:
  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    Phases& phases = static_cast<LevelWorkspace&>(workspace).phases;
    Real<T> probe = 0;
    for (Index c = 0; c < job.x.count; ++c) {
      phases.reset();
      probe += run_team<Real<T>>(job.threads, [&](Index) { return solve_vector(job, c, phases); });
    }
    return probe == 0;
  }

 private:
  // The first phase copies the right-hand side; the levels follow.
  static Real<T> solve_vector(const SolveJob<T>& job, Index c, Phases& phases) {
    const Index n = job.plan.pattern.n;
    const Levels levels{job.plan, job.threads};
    const ColumnPass<T> pass{job.plan.pattern, job.values, job.x.data + c * job.x.stride(),
                             job.x.step(), job.threads > 1};
    Real<T> probe = 0;
    phases.walk(
        1 + levels.count(),
        [&](Index p) { return p == 0 ? levels.pieces_of(n) : levels.pieces(p - 1); },
        [&](Index p, Index k) {
          if (p == 0) {
            const Index pieces = levels.pieces_of(n);
            return scale_right_side(job, c, piece_begin(n, k, pieces),
                                    piece_begin(n, k + 1, pieces));
          }
          for (Index i = levels.begin(p - 1, k); i < levels.begin(p - 1, k + 1); ++i)
            probe += solve_column(pass, i, [](Index) {});
        });
    return probe;
  }
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_level_row_executor() {
  return std::make_unique<LevelRowExecutor<T>>();
}
template <Scalar T>
std::unique_ptr<Executor<T>> make_level_column_executor() {
  return std::make_unique<LevelColumnExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T)                                     \
  template std::unique_ptr<Executor<T>> make_level_row_executor(); \
  template std::unique_ptr<Executor<T>> make_level_column_executor();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
