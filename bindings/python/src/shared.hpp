// bindings/python/src/shared.hpp -- a solver that several Python threads use: a pool of workspaces,
// updates that wait for solves, a child of fork() that starts anew.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The pool of workspaces is touched with the GIL held only, and no solve holds the GIL.
// A solve holds `values` shared, an update alone; both wait for it without the GIL.  A child of
// fork() has one thread, and locks of the parent's threads are never released there: the first call
// after a fork makes the lock anew.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "echelon/options.hpp"

namespace echelon::python {

int fork_count() noexcept;  // forks between the first process and this one

inline void require_cuda(Backend backend) {
  if (backend != Backend::cuda)
    refuse(
        "the array is on a device, but the solver is on the CPU: make it with backend='cuda', "
        "or copy the array to the host");
}

template <class S>
class Shared {
 public:
  using Workspace = typename S::Workspace;

  Shared(S solver, Backend backend)
      : solver_(std::move(solver)), backend_(backend), forks_(fork_count()) {}

  // With the GIL: body(solver, workspace) without it.
  template <class Body>
  void solve(const Body& body) {
    after_fork();
    std::unique_ptr<Workspace> space;
    if (!spaces_.empty()) {
      space = std::move(spaces_.back());
      spaces_.pop_back();
    }
    const Return back{*this, space};
    const nb::gil_scoped_release released;
    const std::shared_lock lock(*values_);
    if (!space) space = std::make_unique<Workspace>(solver_.make_workspace());
    body(std::as_const(solver_), *space);
  }

  // With the GIL: body(solver) without it, alone.
  template <class Body>
  void update(const Body& body) {
    after_fork();
    const nb::gil_scoped_release released;
    const std::unique_lock lock(*values_);
    body(solver_);
  }

  // With the GIL: reports errors of solves on a device, whose streams the caller has synchronized.
  void check() {
    after_fork();
    const std::shared_lock lock(*values_, std::try_to_lock);
    if (!lock) refuse("this solver is being updated by another thread");
    for (const auto& space : spaces_) solver_.check(*space);
  }

  // With the GIL: body(solver, the workspace of the solve that ended last; null: there was none).
  template <class Body>
  auto last(const Body& body) {
    after_fork();
    const std::shared_lock lock(*values_, std::try_to_lock);
    if (!lock) refuse("this solver is being updated by another thread");
    const Workspace* const space = spaces_.empty() ? nullptr : spaces_.back().get();
    return body(std::as_const(solver_), space);
  }

  void require_device() const { require_cuda(backend_); }

  const S& solver() const { return solver_; }

 private:
  struct Return {
    Shared& shared;
    std::unique_ptr<Workspace>& space;
    ~Return() {
      if (space) shared.spaces_.push_back(std::move(space));
    }
  };

  void after_fork() {
    if (forks_ == fork_count()) return;
    if (backend_ == Backend::cuda)
      throw Error(ErrorCode::backend_failed,
                  "this solver was made before fork(), and CUDA does not work in the child: make "
                  "the solver in the child, or start processes with method 'spawn'");
    forks_ = fork_count();
    (void)values_.release();  // may be locked by a thread that is not here
    values_ = std::make_unique<std::shared_mutex>();
  }

  S solver_;
  Backend backend_;
  int forks_;
  std::unique_ptr<std::shared_mutex> values_ = std::make_unique<std::shared_mutex>();
  std::vector<std::unique_ptr<Workspace>> spaces_;
};

// Options as pairs of a path and a text: "cpu.threads", "2".
using Settings = std::vector<std::pair<std::string, std::string>>;
Options to_options(const Settings& settings);

}  // namespace echelon::python
