// exec/cpu/phases.hpp -- work in phases, each cut into pieces that threads claim, with no barrier
// between.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One word says which phase it is and how many of its pieces are claimed; a thread
// claims the next by adding one.  Another counts the pieces done (acquire-release).  Who does the
// last one of a phase, and so sees what all others wrote, opens the next (release), its first
// piece claimed already.  Who finds no piece left waits until the next phase is open (acquire):
// for pieces that running threads have claimed, never for a thread.  A thread that comes late
// begins where the others are, and one alone does everything.  A helper that lost its core leaves
// when it has nothing claimed.
//
// Phases of one piece are done by who opens them, one after the other, and no other thread hears
// of them: a run of small ones costs what it costs one thread.
//
// A piece may wait inside for pieces of the same phase before it: they were claimed earlier, so
// the lowest of those under way waits for nothing.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/pool.hpp"
#include "base/spin.hpp"

namespace echelon {

class Phases {
 public:
  // Before a team begins.
  void reset() {
    next_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }

  // What the calling thread of a team does of phases [0, count): run(p, k) for pieces k of phase
  // p, which has pieces(p), one or more.  All are done when all of the team have returned, the
  // thread that opened the job among them.
  template <class Pieces, class Run>
  void walk(Index count, const Pieces& pieces, const Run& run) {
    if (count == 0) return;
    for (std::uint64_t word = claim();;) {
      Index p = phase_of(word);
      if (p == count) return;
      const Index all = pieces(p), k = static_cast<Index>(word & (phase_unit - 1));
      if (k >= all) {
        if (p + 1 == count) return;
        spin_until([&] { return phase_of(next_.load(std::memory_order_acquire)) != p; });
        if (lost_core()) return;
        word = claim();
        continue;
      }
      run(p, k);
      if (all > 1 && done_.fetch_add(1, std::memory_order_acq_rel) + 1 < all) {
        if (lost_core()) return;
        word = claim();
        continue;
      }
      for (++p; p < count && pieces(p) == 1; ++p) run(p, 0);
      done_.store(0, std::memory_order_relaxed);
      word = static_cast<std::uint64_t>(p) * phase_unit;
      next_.store(word + 1, std::memory_order_release);
    }
  }

 private:
  static constexpr std::uint64_t phase_unit = std::uint64_t{1} << 32;
  static Index phase_of(std::uint64_t word) { return static_cast<Index>(word / phase_unit); }
  std::uint64_t claim() { return next_.fetch_add(1, std::memory_order_acq_rel); }

  alignas(64) std::atomic<std::uint64_t> next_{0};  // pieces claimed; above, which phase
  alignas(64) std::atomic<Index> done_{0};          // pieces of this phase
};

}  // namespace echelon
