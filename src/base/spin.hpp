// base/spin.hpp -- waiting for another thread: a spin loop with back-off, and a spin barrier.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The waiting thread polls an atomic with acquire order; the thread it waits for changes
// the atomic with release order.  The waiting thread first polls at full speed, because a hand-over
// between two running threads takes some hundred nanoseconds.  Then it pauses between polls.  Then
// it yields its core on every poll, so that the other thread can run even if threads outnumber
// cores.
#pragma once

#include <atomic>
#include <thread>

#include "echelon/types.hpp"

namespace echelon {

inline void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns when done() is true.
template <class Done>
void spin_until(const Done& done) {
  constexpr int fast_polls = 64, paused_polls = 2000;
  for (int k = 0; k < fast_polls; ++k)
    if (done()) return;
  for (int k = 0; k < paused_polls; ++k) {
    if (done()) return;
    cpu_pause();
  }
  while (!done()) std::this_thread::yield();
}

// All threads of a team arrive before any goes on.  Reusable: the last thread to arrive opens the
// next phase, and all others wait for the phase to change.
class SpinBarrier {
 public:
  void arrive_and_wait(Index team) {
    if (team == 1) return;
    const auto phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == team - 1) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
    } else {
      spin_until([&] { return phase_.load(std::memory_order_acquire) != phase; });
    }
  }

 private:
  alignas(64) std::atomic<Index> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> phase_{0};
};

}  // namespace echelon
