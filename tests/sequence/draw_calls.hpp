// tests/sequence/draw_calls.hpp -- random settings and calls.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <random>

#include "sequence/subject.hpp"

namespace echelon::test {

// The same sequence for a seed on every machine.
class Draw {
 public:
  explicit Draw(unsigned long seed) : engine_(seed) {}
  Index below(Index n) { return static_cast<Index>(engine_() % static_cast<unsigned long>(n)); }
  bool once_in(Index n) { return below(n) == 0; }
  template <class V>
  V from(const std::vector<V>& values) {
    return values[static_cast<std::size_t>(below(static_cast<Index>(values.size())))];
  }
  template <class V>
  V from(std::initializer_list<V> values) {
    return from(std::vector<V>(values));
  }

 private:
  std::mt19937_64 engine_;
};

// The common part of all kinds: scalar, matrix, triangle, threads.
Setting draw_matrix(Draw& draw, Kind kind, Index most_n);
Setting draw_solver(Draw& draw, Backend backend);
Setting draw_direct(Draw& draw, Backend backend);
Setting draw_smoother(Draw& draw, Backend backend);
Setting draw_batch(Draw& draw, Backend backend);
Setting draw_ranks(Draw& draw);
Setting draw_emulated(Draw& draw, Kind kind);

Call draw_call(Draw& draw, const Abilities& abilities);

}  // namespace echelon::test
