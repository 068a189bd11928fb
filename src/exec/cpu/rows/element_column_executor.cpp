// exec/cpu/rows/element_column_executor.cpp -- ELMC: solves an unknown when its counter of
// outstanding updates is zero.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One counter per unknown: the updates of x(i) still to come.  A thread that has solved
// x(j) subtracts its contribution from each dependent x(i), then decrements counter i (release).
// The thread that solves x(i) polls the counter for zero (acquire).  Then all contributions are in
// x(i), and no other thread touches x(i) again in this pass, so this thread also resets the counter
// for the next pass.  Copying the right-hand side and solving are two phases (phases.hpp).  The
// pieces of the second are chunks of the level order, claimed from first to last and processed in
// increasing order, so the lowest unsolved position never waits: no cycle of waits can form, for
// any team.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithm 4.
#include <algorithm>
#include <atomic>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "exec/column_kernel.hpp"
#include "exec/cpu/phases.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

constexpr Index chunk = 64;  // unknowns per claim: some cache lines of x

struct CounterWorkspace final : Workspace {
  explicit CounterWorkspace(const PackedPattern& pattern)
      : full(static_cast<std::size_t>(pattern.n), 0) {
    for (const Index i : pattern.index) ++full[i];
    count = full;
  }
  Offset bytes() const override { return static_cast<Offset>(2 * full.size() * sizeof(Index)); }

  Buffer<Index> full;   // updates of each unknown in one pass
  Buffer<Index> count;  // updates still to come
  Phases phases;
};

template <class T>
class ElementColumnExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<CounterWorkspace>(plan.pattern);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& space = static_cast<CounterWorkspace&>(workspace);
    Real<T> probe = 0;
    for (Index c = 0; c < job.x.count; ++c) {
      space.phases.reset();
      probe += run_team<Real<T>>(job.threads, [&](Index) { return solve_vector(job, c, space); });
    }
    return probe == 0;
  }

 private:
  static Real<T> solve_vector(const SolveJob<T>& job, Index c, CounterWorkspace& space) {
    const PackedPattern& m = job.plan.pattern;
    const ColumnPass<T> pass{m, job.values, job.x.data + c * job.x.stride(), job.x.step(),
                             job.threads > 1};
    const auto lower_counter = [&](Index i) {
      std::atomic_ref<Index>(space.count[i]).fetch_sub(1, std::memory_order_release);
    };
    Real<T> probe = 0;
    const auto pieces = [&](Index) { return std::max(m.n / chunk + (m.n % chunk != 0), 1); };
    space.phases.walk(2, pieces, [&](Index p, Index piece) {
      const Index first = piece * chunk, last = first + std::min(chunk, m.n - first);
      if (p == 0) return scale_right_side(job, c, first, last);
      for (Index k = first; k < last; ++k) {
        const Index i = m.order[k];
        const std::atomic_ref<Index> count(space.count[i]);
        spin_until([&] { return count.load(std::memory_order_acquire) == 0; });
        count.store(space.full[i], std::memory_order_relaxed);
        probe += solve_column(pass, k, lower_counter);
      }
    });
    return probe;
  }
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_element_column_executor() {
  return std::make_unique<ElementColumnExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_element_column_executor();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
