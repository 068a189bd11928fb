// exec/cpu/rows/superstep_executor.cpp -- coarse tasks that wait for each other point to point,
// without barriers.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One progress word per part, on its own cache line: twice the number of supersteps that
// the part has finished, plus one while a thread runs its next task.  A thread claims a task by
// setting that bit (acquire), once the parts it depends on are far enough (acquire), and increments
// the word when the task's rows are done (release).  So the tasks of a part run in order, on any
// thread.
//
// Each part has an owner, which runs its tasks in order, because their rows are in the owner's
// cache.  A thread that waits for a part helps it: if no thread runs the part's next task, and the
// owner is absent or does not start it for some microseconds, the waiting thread runs the task
// itself.  If this task waits for another part in turn, the thread helps that part.  A helper that
// lost its core leaves between two supersteps, and then its parts have no owner.
//
// A wait is always for an earlier superstep.  So helping ends at a task that waits for nothing and
// either runs on another thread already, or is run by the helping thread: no cycle of waits can
// form, and one thread alone can do everything.
#include <atomic>

#include "base/instantiate.hpp"
#include "base/spin.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/row_kernel.hpp"

namespace echelon {
namespace {

constexpr int owner_polls = 500;  // some microseconds for an owner to begin its task

struct alignas(64) Progress {
  std::atomic<Offset> word{0};
  std::atomic<bool> owner_here{false};  // the part's owner has joined the team

  Offset steps() const { return word.load(std::memory_order_acquire) / 2; }
};

struct ProgressWorkspace final : Workspace {
  explicit ProgressWorkspace(Index parts) : progress(static_cast<std::size_t>(parts)) {}
  Offset bytes() const override { return static_cast<Offset>(progress.size() * sizeof(Progress)); }

  std::vector<Progress> progress;
};

// The work of one thread in a pass.
template <class T>
struct SuperstepPass {
  const Supersteps& steps;
  std::vector<Progress>& progress;
  const RowPass<T>& pass;
  RowKernel<T> rows;
  Index threads;

  static void reset(std::vector<Progress>& progress) {
    for (Progress& part : progress) {
      part.word.store(0, std::memory_order_relaxed);
      part.owner_here.store(false, std::memory_order_relaxed);
    }
  }

  Real<T> run(Index member) const {
    Real<T> probe = 0;
    own_parts(member, true);
    for (Index s = 0; s < steps.count; ++s) {
      for (Index t = member; t < steps.parts; t += threads) bring(t, s + 1, member, probe);
      if (lost_core()) {
        own_parts(member, false);
        return probe;
      }
    }
    // The remaining tasks belong to parts without an owner.
    for (Index t = 0; t < steps.parts; ++t)
      if (member == 0 || !progress[t].owner_here.load(std::memory_order_relaxed))
        bring(t, steps.count, member, probe);
    return probe;
  }

 private:
  void own_parts(Index member, bool here) const {
    for (Index t = member; t < steps.parts; t += threads)
      progress[t].owner_here.store(here, std::memory_order_relaxed);
  }

  // Returns when part t has finished `needed` supersteps.
  void bring(Index t, Offset needed, Index member, Real<T>& probe) const {
    while (progress[t].steps() < needed) help(t, member, probe);
  }

  // Runs the next task of part t, or a task it waits for; or waits while another thread runs it.
  void help(Index t, Index member, Real<T>& probe) const {
    for (;;) {
      Progress& part = progress[t];
      Offset word = part.word.load(std::memory_order_acquire);
      const Offset s = word / 2;
      if (s == steps.count) return;
      const auto moved = [&] { return part.word.load(std::memory_order_acquire) != word; };
      if (word % 2 == 1) return spin_until(moved);
      if (t % threads != member && part.owner_here.load(std::memory_order_relaxed))
        for (int k = 0; k < owner_polls; ++k) {
          if (moved()) return;
          cpu_pause();
        }
      const Offset task = s * steps.parts + t;
      const Index other = unmet(task);
      if (other >= 0) {
        t = other;
        continue;
      }
      if (part.word.compare_exchange_strong(word, word + 1, std::memory_order_acquire,
                                            std::memory_order_relaxed))
        probe += run_task(task, part);
      return;
    }
  }

  // A part that a task still waits for, or -1.
  Index unmet(Offset task) const {
    for (Index w = steps.wait_start[task]; w < steps.wait_start[task + 1]; ++w)
      if (progress[steps.waits[w].part].steps() <= steps.waits[w].step) return steps.waits[w].part;
    return -1;
  }

  Real<T> run_task(Offset task, Progress& part) const {
    const Index begin = steps.start[task], end = steps.start[task + 1];
    const Real<T> probe = begin < end ? rows(pass, begin, end) : Real<T>(0);
    part.word.fetch_add(1, std::memory_order_release);
    return probe;
  }
};

template <class T>
class SuperstepExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<ProgressWorkspace>(plan.steps.parts);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& progress = static_cast<ProgressWorkspace&>(workspace).progress;
    return for_each_row_pass(job, [&](const RowPass<T>& pass, int columns) {
      const auto rows = find_row_kernel(job, columns);
      // One thread: the packed order respects all dependencies.
      if (job.threads == 1) return rows(pass, 0, pass.pattern.n);
      SuperstepPass<T>::reset(progress);
      const SuperstepPass<T> all{job.plan.steps, progress, pass, rows, job.threads};
      return run_team<Real<T>>(job.threads, [&](Index member) { return all.run(member); });
    });
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
