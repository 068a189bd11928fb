// exec/cpu/superstep_executor.cpp -- coarse tasks that wait for each other, not for a barrier.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One progress number a part, each on a cache line of its own: how many
// supersteps that part has finished, counted on from pass to pass so that it is never reset.
// Task (s, t) polls the progress of the parts it waits for (acquire), runs its rows, then
// raises progress t (release).  A wait always names an earlier superstep, and a thread runs
// its tasks by rising superstep, so the unfinished tasks of the lowest superstep never wait
// on each other: no cycle of waiting can form.  A team smaller than the schedule shares the
// parts out (thread k takes parts k, k+team, ...) and each thread still goes superstep by
// superstep, so the same argument holds.
#include <atomic>

#include "base/instantiate.hpp"
#include "base/spin.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/row_kernel.hpp"

namespace echelon {
namespace {

struct alignas(64) Progress {
  std::atomic<Offset> finished{0};
};

struct ProgressWorkspace final : Workspace {
  explicit ProgressWorkspace(Index parts) : progress(static_cast<std::size_t>(parts)) {}
  Offset bytes() const override { return static_cast<Offset>(progress.size() * sizeof(Progress)); }

  std::vector<Progress> progress;
  Offset before = 0;  // supersteps of the passes so far
};

template <class T>
class SuperstepExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<ProgressWorkspace>(plan.steps.parts);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& space = static_cast<ProgressWorkspace&>(workspace);
    const Supersteps& steps = job.plan.steps;
    return for_each_row_pass(job, [&](const RowPass<T>& pass, int columns) {
      const auto rows = find_row_kernel(job, columns);
      const Real<T> probe = run_team<Real<T>>(job.threads, [&](Index thread, Index team) {
        Real<T> sum = 0;
        for (Index s = 0; s < steps.count; ++s)
          for (Index t = thread; t < steps.parts; t += team)
            sum += run_task(steps, s, t, space, pass, rows);
        return sum;
      });
      space.before += steps.count;
      return probe;
    });
  }

 private:
  static Real<T> run_task(const Supersteps& steps, Index s, Index t, ProgressWorkspace& space,
                          const RowPass<T>& pass, RowKernel<T> rows) {
    const Offset task = Offset{s} * steps.parts + t;
    for (Index w = steps.wait_start[task]; w < steps.wait_start[task + 1]; ++w) {
      const auto& finished = space.progress[steps.waits[w].part].finished;
      const Offset needed = space.before + steps.waits[w].step + 1;
      spin_until([&] { return finished.load(std::memory_order_acquire) >= needed; });
    }
    const Index begin = steps.start[task], end = steps.start[task + 1];
    const Real<T> probe = begin < end ? rows(pass, begin, end) : Real<T>(0);
    space.progress[t].finished.store(space.before + s + 1, std::memory_order_release);
    return probe;
  }
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_superstep_executor() {
  return std::make_unique<SuperstepExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_superstep_executor();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
