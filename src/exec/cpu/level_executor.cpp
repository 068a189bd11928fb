// exec/cpu/level_executor.cpp -- LEVR and LEVC: the levels in turn, a barrier after each.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  Level l is cut into pieces, one a thread, at least `grain` unknowns each; a
// thread without a piece goes straight to the barrier.  By rows a thread writes only x of
// its own piece and reads x of earlier levels, which the barrier has made visible.  By
// columns threads subtract atomically from x of later levels, and read x of their own
// piece, which is final since the barrier.  Every thread passes every barrier, so none can
// be left waiting, whatever the size of the team.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithms 1 and 2.
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/spin.hpp"
#include "exec/column_kernel.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/row_kernel.hpp"

namespace echelon {
namespace {

constexpr Index grain = 32;  // unknowns: less is not worth another core's cache misses

struct LevelWorkspace final : Workspace {
  SpinBarrier barrier;
  Offset bytes() const override { return sizeof(*this); }
};

// Calls piece(begin, end) with this thread's positions of each level, a barrier after each.
template <class Piece>
void walk_levels(const Plan& plan, SpinBarrier& barrier, Index thread, Index team,
                 const Piece& piece) {
  const Index levels = static_cast<Index>(plan.level_start.size()) - 1;
  for (Index l = 0; l < levels; ++l) {
    const Index begin = plan.level_start[l], size = plan.level_start[l + 1] - begin;
    const Index pieces = std::clamp<Index>(size / grain, 1, team);
    if (thread < pieces)
      piece(begin + static_cast<Index>(piece_begin(size, thread, pieces)),
            begin + static_cast<Index>(piece_begin(size, thread + 1, pieces)));
    barrier.arrive_and_wait(team);
  }
}

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
    SpinBarrier& barrier = static_cast<LevelWorkspace&>(workspace).barrier;
    return for_each_row_pass(job, [&](const RowPass<T>& pass, int columns) {
      const auto rows = find_row_kernel(job, columns);
      return run_team<Real<T>>(job.threads, [&](Index thread, Index team) {
        Real<T> probe = 0;
        walk_levels(job.plan, barrier, thread, team,
                    [&](Index begin, Index end) { probe += rows(pass, begin, end); });
        return probe;
      });
    });
  }
};

template <class T>
class LevelColumnExecutor final : public LevelExecutor<T> {
 public:
  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    SpinBarrier& barrier = static_cast<LevelWorkspace&>(workspace).barrier;
    Real<T> probe = 0;
    for (Index c = 0; c < job.x.count; ++c)
      probe += run_team<Real<T>>(job.threads, [&](Index thread, Index team) {
        return solve_vector(job, c, barrier, thread, team);
      });
    return probe == 0;
  }

 private:
  static Real<T> solve_vector(const SolveJob<T>& job, Index c, SpinBarrier& barrier, Index thread,
                              Index team) {
    const Index n = job.plan.pattern.n;
    scale_right_side(job, c, piece_begin(n, thread, team), piece_begin(n, thread + 1, team));
    barrier.arrive_and_wait(team);
    const ColumnPass<T> pass{job.plan.pattern, job.values, job.x.data + c * job.x.stride(),
                             job.x.step(), team > 1};
    Real<T> probe = 0;
    walk_levels(job.plan, barrier, thread, team, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) probe += solve_column(pass, k, [](Index) {});
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
