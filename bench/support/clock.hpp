// bench/support/clock.hpp -- the one clock of the contenders.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace echelon::bench {

// Seconds that f takes.
template <class Function>
double time_of(const Function& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace echelon::bench
