// echelon/executor.hpp -- what carries out a plan: the one virtual interface of the house.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after numeric.hpp; solver.hpp picks one and hides it.
#pragma once

#include <atomic>
#include <memory>

#include "echelon/analysis.hpp"
#include "echelon/numeric.hpp"

namespace echelon {

// Scratch memory of one running solve: flags, counters, progress.  Two solves at the same
// time need two.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual ~Workspace() = default;
  virtual Offset bytes() const { return 0; }

  std::atomic_flag busy = ATOMIC_FLAG_INIT;  // held by the solve that uses it
};

// One call of solve: op(M) x = alpha b for all vectors of b.  Of M's own transpose only the
// supernodal methods know: their panels serve both.
template <Scalar T>
struct SolveJob {
  const Plan& plan;
  const PackedValues<T>& values;
  T alpha;
  Vectors<const T> b;  // same n, count and layout as x; may be the same memory, entry for entry
  Vectors<T> x;
  Index threads;  // at most plan.threads
  Op op = Op::none;
  const BlockValues<T>* blocks = nullptr;  // of a supernodal plan
  void* stream = nullptr;                  // of a device: where to put the solve
};

template <Scalar T>
class Executor {
 public:
  virtual ~Executor() = default;
  // The values of a supernodal plan, where and in the form this executor wants them.  Of `out`
  // the device's executors fill in what the reports tell; the panels stay on the device.
  // Throws as pack_plan does, and backend_failed.
  virtual void setup(const Plan& plan, const FillPanel<T>& fill, Passes passes,
                     const NumericOptions& o, BlockValues<T>& out, Index threads) {
    pack_plan(plan, fill, passes, o, out, threads);
  }
  // What a solve with this plan needs.  Allocates; throws std::bad_alloc.
  virtual std::unique_ptr<Workspace> make_workspace(const Plan& plan) const = 0;
  // Allocates nothing.  False if some entry of x is not finite.  On the CPU it does not throw.  On
  // a device it allocates the first time, and throws backend_failed; with vectors there it may be
  // under way still when it returns, and a later call tells what came of it.
  virtual bool solve(const SolveJob<T>& job, Workspace& workspace) const = 0;
};

// The executor of a method (not automatic).  The only place that knows which were built.
// Throws backend_missing.
template <Scalar T>
std::unique_ptr<Executor<T>> make_executor(Method method, Backend backend = Backend::cpu);

}  // namespace echelon
