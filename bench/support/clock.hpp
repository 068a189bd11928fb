// bench/support/clock.hpp -- the clock that times all contenders.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace echelon::bench {

// Seconds that f takes.
template <class Function>
double time_of(const Function& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double middle(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// The median of five calls (or `most`), or of as many as fit in two seconds.  The argument of a
// call is made before and not timed.
template <class Make, class Call>
double time_updates(const Make& make, const Call& call, int most = 5) {
  std::vector<double> times;
  double spent = 0;
  while (static_cast<int>(times.size()) < most && spent < 2) {
    auto given = make();
    times.push_back(time_of([&] { call(std::move(given)); }));
    spent += times.back();
  }
  return middle(times);
}

}  // namespace echelon::bench
