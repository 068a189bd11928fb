// echelon/adapters/workspaces.hpp -- the workspaces of one solver, lent to its callers, so that
// several threads can call one solver whose interface has no place for a workspace.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A caller takes a workspace under the mutex, or makes one if all are lent, solves
// without the mutex, and gives it back under the mutex.  There are as many as callers at one time.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace echelon::adapters {

template <class Solver>
class Workspaces {
 public:
  // Calls solve(workspace).  Allocates only if more callers are at work than ever before.
  template <class Solve>
  void lend(const Solver& solver, Solve&& solve) {
    Workspace workspace = take(solver);
    solve(workspace);  // what throws loses its workspace, which may be in any state
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(workspace));
  }
  // Of a solver that is no more.  No caller may be at work.
  void forget() { free_.clear(); }

 private:
  using Workspace = typename Solver::Workspace;

  Workspace take(const Solver& solver) {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        Workspace last = std::move(free_.back());
        free_.pop_back();
        return last;
      }
    }
    return solver.make_workspace();
  }

  std::mutex mutex_;
  std::vector<Workspace> free_;
};

}  // namespace echelon::adapters
