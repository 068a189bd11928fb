// exec/cpu/block_executor.cpp -- solves with the panels of supernodes, by levels of tasks or as
// the tasks become ready.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol, by levels.  The phases of the program follow each other with a barrier between.  In a
// phase threads take items from a counter of its own; an item writes what no other item of the
// phase reads or writes: a task's vector, a range of its rows, or the answers of its columns.
//
// Protocol, dynamic.  Each task has a counter of tasks it waits for.  Who brings a counter to
// zero (acquire-release) puts the task into the next place of the queue (release); a thread takes
// the next place that nobody took and waits until something is in it (acquire).  Every task is
// put there exactly once, by a task that is done, and the first ones are there from the start:
// as long as places are empty some task is running, so no thread waits for ever.
#include <atomic>
#include <vector>

#include "base/finite.hpp"
#include "base/instantiate.hpp"
#include "base/spin.hpp"
#include "exec/block_program.hpp"
#include "exec/cpu/block_pass.hpp"
#include "exec/cpu/copy_answer.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/task_graph.hpp"

namespace echelon {
namespace {

template <class T>
struct BlockWorkspace final : Workspace {
  BlockWorkspace(const Plan& whole, bool dynamic) {
    const BlockPlan& plan = whole.blocks;
    const auto together = static_cast<std::size_t>(std::min(whole.together, most_together));
    space.resize(static_cast<std::size_t>(plan.space()) * together);
    answer.resize(static_cast<std::size_t>(plan.n) * together);
    partial.resize(static_cast<std::size_t>(plan.partial_start.back()) * together);
    if (dynamic) {
      for (const bool pull : {false, true}) graph[pull] = make_task_graph(plan, pull);
      waiting = std::vector<std::atomic<Index>>(plan.tasks());
      queue = std::vector<std::atomic<Index>>(plan.tasks());
      tickets = std::vector<Ticket>(2);
    } else {
      for (const bool pull : {false, true}) program[pull] = make_block_program(plan, pull);
      tickets = std::vector<Ticket>(std::max(program[0].phases.size(), program[1].phases.size()));
    }
  }
  Offset bytes() const override {
    Offset sum = static_cast<Offset>((space.size() + answer.size() + partial.size()) * sizeof(T) +
                                     tickets.size() * sizeof(Ticket) +
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
  std::vector<Ticket> tickets;
  std::vector<std::atomic<Index>> waiting, queue;
  SpinBarrier barrier;
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

template <class Pass, class Space>
void run_levels(const Pass& pass, bool pull, bool all_inverse, Space& space, Index team) {
  const BlockProgram& program = space.program[pull];
  for (std::size_t p = 0; p < program.phases.size(); ++p) {
    const Phase& phase = program.phases[p];
    if (phase.kind == PhaseKind::diagonal && all_inverse) continue;
    // Many small items are taken several at a time.
    const Index batch = std::max(1, (phase.end - phase.begin) / (16 * team));
    for (;;) {
      const Index first =
          phase.begin + space.tickets[p].next.fetch_add(batch, std::memory_order_relaxed);
      if (first >= phase.end) break;
      for (Index i = first; i < std::min(first + batch, phase.end); ++i)
        run_item(pass, phase.kind, pull, program.items[i]);
    }
    space.barrier.arrive_and_wait(team);
  }
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
  space.tickets[0].next.store(0, std::memory_order_relaxed);      // places taken
  space.tickets[1].next.store(ready, std::memory_order_relaxed);  // places filled
}

template <class Pass, class Space>
void run_queue(const Pass& pass, bool pull, Space& space) {
  const TaskGraph& g = space.graph[pull];
  for (;;) {
    const Index place = space.tickets[0].next.fetch_add(1, std::memory_order_relaxed);
    if (place >= g.tasks()) return;
    spin_until([&] { return space.queue[place].load(std::memory_order_acquire) != empty_place; });
    const Index t = space.queue[place].load(std::memory_order_relaxed);
    run_item(pass, PhaseKind::product, pull, {t, -1, -1, -1});
    for (Index p = g.start[t]; p < g.start[t + 1]; ++p) {
      const Index next = g.member[p];
      if (space.waiting[next].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
      const Index end = space.tickets[1].next.fetch_add(1, std::memory_order_relaxed);
      space.queue[end].store(next, std::memory_order_release);
    }
  }
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
    const Index together = std::min(job.plan.together, most_together);
    for (Index column = 0; column < job.x.count; column += together) {
      const Index count = std::min(together, job.x.count - column);
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
    if (dynamic_)
      prepare_queue(pull, space);
    else
      for (Ticket& ticket : space.tickets) ticket.next.store(0, std::memory_order_relaxed);
    return run_team<Real<T>>(job.threads, [&](Index thread, Index team) {
      if (dynamic_) {
        run_queue(pass, pull, space);
        space.barrier.arrive_and_wait(team);
      } else {
        run_levels(pass, pull, job.blocks->all_inverse, space, team);
      }
      const Offset n = plan.n;
      return copy_answer(job, space.answer.data(), column, count, n * thread / team,
                         n * (thread + 1) / team);
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
