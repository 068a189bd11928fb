// exec/cpu/panels/block_executor.cpp -- supernodal solves, level by level or with a queue of ready
// tasks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol, by levels.  The phases of the program run one after the other (phases.hpp); then the
// answers are copied to the caller's vectors.  An item of a phase writes only memory that no other
// item of this phase reads or writes: a task's vector, a range of its rows, or the answers of its
// columns.
//
// Protocol, dynamic.  Each task has a counter of unfinished predecessors.  The thread that
// decrements a counter to zero (acquire-release) stores the task into the next place of the queue
// (release).  A thread claims the first unclaimed place once it is filled (acquire).  Every task
// enters the queue exactly once, after its last predecessor; the tasks without predecessors are
// there from the start.  While a place is empty, some thread runs a task: so no thread waits for
// ever, and one thread alone completes all.  The answers are copied when the count of finished
// tasks (acquire-release) is complete.
#include <atomic>
#include <vector>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "base/spin.hpp"
#include "exec/block_program.hpp"
#include "exec/cpu/panels/block_pass.hpp"
#include "exec/cpu/panels/copy_answer.hpp"
#include "exec/cpu/phases.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/task_graph.hpp"

namespace echelon {
namespace {

constexpr Offset least_shared = 4096;  // entries from which on a phase is shared between threads
constexpr Index copy_grain = 2048;     // answers per copy piece, at least
constexpr Index shares = 16;           // pieces per thread of a phase with many items

// A counter that many threads change, on its own cache line.
struct alignas(64) Counter {
  std::atomic<Index> value{0};
};

template <class T>
struct BlockWorkspace final : Workspace {
  BlockWorkspace(const Plan& whole, bool dynamic) {
    const BlockPlan& plan = whole.blocks;
    const auto rhs_per_pass =
        static_cast<std::size_t>(std::min(whole.rhs_per_pass, max_rhs_per_pass));
    space.resize(static_cast<std::size_t>(plan.space()) * rhs_per_pass);
    answer.resize(static_cast<std::size_t>(plan.n) * rhs_per_pass);
    partial.resize(static_cast<std::size_t>(plan.partial_start.back()) * rhs_per_pass);
    if (dynamic) {
      for (const bool pull : {false, true}) graph[pull] = make_task_graph(plan, pull);
      waiting = std::vector<std::atomic<Index>>(plan.tasks());
      queue = std::vector<std::atomic<Index>>(plan.tasks());
    } else {
      for (const bool pull : {false, true}) program[pull] = make_block_program(plan, pull);
    }
  }
  Offset bytes() const override {
    Offset sum = static_cast<Offset>((space.size() + answer.size() + partial.size()) * sizeof(T) +
                                     (queue.size() + waiting.size()) * sizeof(Index));
    for (const bool pull : {false, true})
      sum += static_cast<Offset>(program[pull].items.size() * sizeof(PhaseItem) +
                                 program[pull].phases.size() * sizeof(Phase) +
                                 (graph[pull].start.size() + graph[pull].member.size() +
                                  graph[pull].needs.size() + graph[pull].ready.size()) *
                                     sizeof(Index));
    return sum;
  }

  Buffer<T> space, answer, partial;
  BlockProgram program[2];
  TaskGraph graph[2];
  std::vector<std::atomic<Index>> waiting, queue;
  Counter taken, filled;  // places of the queue claimed, filled
  Counter finished;       // tasks finished
  Phases phases;
};

template <class Pass>
void run_item(const Pass& pass, PhaseKind kind, bool pull, const PhaseItem& item) {
  const auto [t, begin, end, piece] = item;
  if (begin < 0) return pull ? pass.pull_task(t) : pass.push_task(t);
  switch (kind) {
    case PhaseKind::fetch:
      return pull ? pass.pull_fetch(t, begin, end) : pass.push_fetch(t, begin, end);
    case PhaseKind::diagonal:
      return pull ? pass.pull_diagonal(t, begin, end) : pass.push_diagonal(t, begin, end);
    case PhaseKind::product:
      return pull ? pass.pull_product(t, begin, end, piece) : pass.push_product(t, begin, end);
    case PhaseKind::sum:
      return pass.pull_sum(t, begin, end);
  }
}

// The phases of a program and the copy of the answers after them, split for `threads` threads.
struct CutProgram {
  const BlockProgram& program;
  Index threads, vectors;
  Index copies;      // pieces of the copy phase
  bool all_inverse;  // no diagonal phases needed

  Index count() const { return copy_phase() + 1; }
  Index copy_phase() const { return static_cast<Index>(program.phases.size()); }
  bool skips(const Phase& phase) const { return phase.kind == PhaseKind::diagonal && all_inverse; }
  // Items per piece: several small items form one piece, and a phase with little work is one piece.
  Index batch(const Phase& phase) const {
    const Index items = phase.end - phase.begin;
    if (threads == 1 || skips(phase) || phase.work * vectors < least_shared) return items;
    return std::max(1, items / (shares * threads));
  }
  Index pieces(Index p) const {
    if (p == copy_phase()) return copies;
    const Phase& phase = program.phases[p];
    const Index items = phase.end - phase.begin, size = batch(phase);
    return items / size + (items % size != 0);
  }
  // Whether a second thread would have work.
  bool has_shares() const {
    for (Index p = 0; p < count(); ++p)
      if (pieces(p) > 1) return true;
    return false;
  }
};

template <class Pass, class Copy>
void run_levels(const Pass& pass, const CutProgram& cut, Phases& phases, const Copy& copy) {
  phases.walk(
      cut.count(), [&](Index p) { return cut.pieces(p); },
      [&](Index p, Index k) {
        if (p == cut.copy_phase()) return copy(k);
        const Phase& phase = cut.program.phases[p];
        if (cut.skips(phase)) return;
        const Index size = cut.batch(phase), first = phase.begin + k * size;
        for (Index i = first; i < std::min(first + size, phase.end); ++i)
          run_item(pass, phase.kind, cut.program.pull, cut.program.items[i]);
      });
}

constexpr Index empty_place = -1;

template <class Space>
void prepare_queue(bool pull, Space& space) {
  const TaskGraph& g = space.graph[pull];
  const auto ready = static_cast<Index>(g.ready.size());
  for (Index t = 0; t < g.tasks(); ++t) {
    space.waiting[t].store(g.needs[t], std::memory_order_relaxed);
    space.queue[t].store(t < ready ? g.ready[t] : empty_place, std::memory_order_relaxed);
  }
  space.taken.value.store(0, std::memory_order_relaxed);
  space.filled.value.store(ready, std::memory_order_relaxed);
  space.finished.value.store(0, std::memory_order_relaxed);
}

// Claims the next ready task; empty_place if all are claimed.
template <class Space>
Index take_task(Space& space) {
  std::atomic<Index>& taken = space.taken.value;
  const auto places = static_cast<Index>(space.queue.size());
  for (;;) {
    Index place = taken.load(std::memory_order_relaxed);
    if (place == places) return empty_place;
    const Index t = space.queue[place].load(std::memory_order_acquire);
    if (t == empty_place)
      spin_until([&] {
        return space.queue[place].load(std::memory_order_acquire) != empty_place ||
               taken.load(std::memory_order_relaxed) != place;
      });
    else if (taken.compare_exchange_strong(place, place + 1, std::memory_order_relaxed))
      return t;
  }
}

// False if the thread has lost its core and left early.
template <class Pass, class Space>
bool run_queue(const Pass& pass, bool pull, Space& space) {
  const TaskGraph& g = space.graph[pull];
  for (Index t; (t = take_task(space)) != empty_place;) {
    run_item(pass, PhaseKind::product, pull, {t, -1, -1, -1});
    for (Index p = g.start[t]; p < g.start[t + 1]; ++p) {
      const Index next = g.member[p];
      if (space.waiting[next].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
      const Index end = space.filled.value.fetch_add(1, std::memory_order_relaxed);
      space.queue[end].store(next, std::memory_order_release);
    }
    space.finished.value.fetch_add(1, std::memory_order_acq_rel);
    if (lost_core()) return false;
  }
  spin_until([&] { return space.finished.value.load(std::memory_order_acquire) == g.tasks(); });
  return true;
}

template <class T>
class BlockExecutor final : public Executor<T> {
 public:
  explicit BlockExecutor(bool dynamic) : dynamic_(dynamic) {}

  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<BlockWorkspace<T>>(plan, dynamic_);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& space = static_cast<BlockWorkspace<T>&>(workspace);
    bool finite = true;
    const Index rhs_per_pass = std::min(job.plan.rhs_per_pass, max_rhs_per_pass);
    for (Index column = 0; column < job.x.count; column += rhs_per_pass) {
      const Index count = std::min(rhs_per_pass, job.x.count - column);
      const Real<T> probe = job.blocks->low.empty()
                                ? run_pass(job, job.blocks->value.data(), column, count, space)
                                : run_pass(job, job.blocks->low.data(), column, count, space);
      finite = is_finite(probe) && finite;
    }
    return finite;
  }

 private:
  template <class S>
  Real<T> run_pass(const SolveJob<T>& job, const S* value, Index column, Index count,
                   BlockWorkspace<T>& space) const {
    const PassMemory<T> memory{space.space.data(), space.answer.data(), space.partial.data()};
    if (count == 1)
      return run(job, BlockPass<T, S, true>(job, value, column, count, memory), column, 1, space);
    return run(job, BlockPass<T, S, false>(job, value, column, count, memory), column, count,
               space);
  }

  template <class Pass>
  Real<T> run(const SolveJob<T>& job, const Pass& pass, Index column, Index count,
              BlockWorkspace<T>& space) const {
    const BlockPlan& plan = job.plan.blocks;
    const bool pull = plan.pull != (job.op != Op::none);
    if (dynamic_) prepare_queue(pull, space);
    space.phases.reset();
    const Index copies = std::clamp(plan.n / copy_grain, 1, job.threads);
    const CutProgram cut{space.program[pull], job.threads, count, copies, job.blocks->all_inverse};
    const Index threads = dynamic_ || cut.has_shares() ? job.threads : 1;
    return run_team<Real<T>>(threads, [&](Index) {
      Real<T> probe = 0;
      const auto copy = [&](Index k) {
        probe += copy_answer(job, space.answer.data(), column, count,
                             piece_begin(plan.n, k, copies), piece_begin(plan.n, k + 1, copies));
      };
      if (dynamic_) {
        if (run_queue(pass, pull, space))
          space.phases.walk(
              1, [&](Index) { return copies; }, [&](Index, Index k) { copy(k); });
      } else {
        run_levels(pass, cut, space.phases, copy);
      }
      return probe;
    });
  }

  bool dynamic_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_block_executor(bool dynamic) {
  return std::make_unique<BlockExecutor<T>>(dynamic);
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_block_executor(bool);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
