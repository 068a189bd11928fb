// exec/cpu/phases.hpp -- work in phases, each split into pieces that threads claim, without a
// barrier in between.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  One word holds the current phase and the number of its claimed pieces; a thread claims
// the next piece by adding one.  Another word counts the finished pieces (acquire-release).  The
// thread that finishes the last piece of a phase has acquired all writes of the others; it opens
// the next phase (release), with the first piece already claimed for itself.  A thread that finds
// no piece left waits until the next phase is open (acquire).  It waits only for pieces that
// running threads have claimed, never for a thread to start.  A late thread begins at the current
// phase, and one thread alone does everything.  A helper that lost its core leaves when it has no
// claimed piece.
//
// The thread that opens a phase of one piece runs it at once, and all directly following phases of
// one piece, without publishing them: a run of small phases costs no synchronization.
//
// A piece may wait for earlier pieces of the same phase: they were claimed earlier, so the lowest
// piece in progress waits for none.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/pool.hpp"
#include "base/spin.hpp"

namespace echelon {

class Phases {
 public:
  // Call it before a team begins.
  void reset() {
    next_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }

  // The share of the calling thread in phases [0, count): calls run(p, k) for pieces k of phase p,
  // which has pieces(p) >= 1 pieces.  All pieces are finished when all threads of the team have
  // returned, including the thread that opened the job.
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

  alignas(64) std::atomic<std::uint64_t> next_{0};  // low half: pieces claimed; high half: phase
  alignas(64) std::atomic<Index> done_{0};          // finished pieces of this phase
};

}  // namespace echelon
