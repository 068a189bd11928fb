// exec/cpu/rows/element_row_executor.cpp -- ELMR: solves an unknown when the flags of all its
// dependencies are set.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One flag per unknown: "x(i) is final".  The thread that solves x(i) writes x(i), then
// sets flag i to the number of this pass (release).  A thread that needs x(i) polls the flag for
// that number (acquire), then reads x(i).  Flags are never cleared: each pass has a new number.
// Threads claim chunks of the level order, from first to last, and process each in increasing
// order; an unknown depends only on lower positions.  So every wait is for a chunk that a running
// thread has claimed, and the lowest unsolved position never waits: no cycle of waits can form, for
// any team.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithm 3.
#include <algorithm>
#include <atomic>

#include "base/instantiate.hpp"
#include "base/spin.hpp"
#include "exec/cpu/team.hpp"
#include "exec/executors.hpp"
#include "exec/sweep_kernel.hpp"

namespace echelon {
namespace {

constexpr Index chunk = 64;  // unknowns per claim: some cache lines of x

struct FlagWorkspace final : Workspace {
  explicit FlagWorkspace(Index n) : flags(static_cast<std::size_t>(n), 0) {}
  Offset bytes() const override { return static_cast<Offset>(flags.size() * sizeof(flags[0])); }

  // The number of the next pass.  After 2^32 - 1 passes the flags are cleared.
  std::uint32_t next_pass() {
    if (++pass == 0) {
      std::fill(flags.begin(), flags.end(), 0);
      pass = 1;
    }
    return pass;
  }

  Buffer<std::uint32_t> flags;
  std::uint32_t pass = 0;
};

template <class T>
class ElementRowExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan& plan) const override {
    return std::make_unique<FlagWorkspace>(plan.pattern.n);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const noexcept override {
    auto& space = static_cast<FlagWorkspace&>(workspace);
    return for_each_row_pass(job, [&](const RowPass<T>& pass, int columns) {
      return dispatch_row_kernel(
          job.values.form, job.x.layout, columns, [&]<DiagonalForm d, Layout l, int c>() {
            return run_pass<d, l, c>(pass, space.flags.data(), space.next_pass(), job.threads);
          });
    });
  }

 private:
  template <DiagonalForm d, Layout l, int c>
  static Real<T> run_pass(const RowPass<T>& pass, std::uint32_t* flags, std::uint32_t number,
                          Index threads) {
    const auto wait = [=](Index j) {
      const std::atomic_ref<std::uint32_t> flag(flags[j]);
      if (flag.load(std::memory_order_acquire) != number)
        spin_until([&] { return flag.load(std::memory_order_acquire) == number; });
    };
    const auto done = [=](Index i) {
      std::atomic_ref<std::uint32_t>(flags[i]).store(number, std::memory_order_release);
    };
    const Offset n = pass.pattern.n;
    std::atomic<Offset> next{0};
    return run_team<Real<T>>(threads, [&](Index) {
      Real<T> probe = 0;
      for (Offset k; (k = next.fetch_add(chunk, std::memory_order_relaxed)) < n;) {
        const auto begin = static_cast<Index>(k);
        const auto end = static_cast<Index>(std::min<Offset>(k + chunk, n));
        probe += pass.sweep ? sweep_rows<T, d, l, c>(pass, begin, end, wait, done)
                            : solve_rows<T, d, l, c>(pass, begin, end, wait, done);
        if (lost_core()) break;
      }
      return probe;
    });
  }
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_element_row_executor() {
  return std::make_unique<ElementRowExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_element_row_executor();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
