// calibrate/run_together.hpp -- runs a function on a number of threads at the same time, or on
// none.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  New threads wait until all are started; only then does any call the body, so a body
// may wait for the other threads.  If a thread cannot be started, the others return without a call.
#pragma once

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "base/cpu_mask.hpp"
#include "base/spin.hpp"
#include "echelon/error.hpp"

namespace echelon {

// Binds this thread to the k-th core it may use, if there are as many, during its lifetime.
// Otherwise a busy system may put two threads on one core, and the measurement would show how the
// scheduler shares that core.
class OnCore {
 public:
  explicit OnCore(Index k) {
    if (k < before_.count()) is_bound_ = before_.only(k).bind_this_thread();
  }
  OnCore(const OnCore&) = delete;
  OnCore& operator=(const OnCore&) = delete;
  ~OnCore() {
    if (is_bound_) before_.bind_this_thread();
  }

 private:
  CpuMask before_ = CpuMask::of(0);
  bool is_bound_ = false;
};

// Calls body(thread) for threads [0, threads), 0 on the calling thread, each bound to its own core
// if there are enough cores.  The body must not throw.
template <class Body>
void run_together(Index threads, const Body& body) {
  enum : int { not_yet, go, go_home };
  std::atomic<int> word{not_yet};
  std::vector<std::jthread> others;
  others.reserve(static_cast<std::size_t>(threads));
  try {
    for (Index t = 1; t < threads; ++t)
      others.emplace_back([&word, &body, t] {
        const OnCore core(t);
        spin_until([&] { return word.load(std::memory_order_acquire) != not_yet; });
        if (word.load(std::memory_order_acquire) == go) body(t);
      });
  } catch (const std::system_error& error) {
    word.store(go_home, std::memory_order_release);
    throw Error(ErrorCode::out_of_memory, "no more than " + std::to_string(others.size() + 1) +
                                              " of " + std::to_string(threads) +
                                              " threads can be started: " + error.what());
  }
  const OnCore core(0);  // only now: new threads inherit the mask of the thread that starts them
  word.store(go, std::memory_order_release);
  body(0);
}

}  // namespace echelon
