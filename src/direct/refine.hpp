// direct/refine.hpp -- iterative refinement, x += solve(b - A x), with vectors on the host.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "echelon/direct.hpp"

namespace echelon {

// before = x, then x += step.
template <class T>
void take_step(const Vectors<T>& x, const Vectors<T>& step, const Vectors<T>& before,
               Index threads) {
  parallel_pieces(x.n, 1 << 13, threads, [&](Offset begin, Offset end, Index) {
    for (Index k = 0; k < x.count; ++k)
      for (Offset i = begin; i < end; ++i) {
        T& entry = x.data[i * x.step() + k * x.stride()];
        before.data[i + k * before.stride()] = entry;
        entry += step.data[i + k * step.stride()];
      }
  });
}

template <class T>
void take_back(const Vectors<T>& x, const Vectors<T>& before) {
  for (Index k = 0; k < x.count; ++k)
    for (Index i = 0; i < x.n; ++i)
      x.data[i * x.step() + k * x.stride()] = before.data[i + k * before.stride()];
}

// Work vectors, which grow with the number of right-hand sides, and threads.
template <class T>
struct RefineRoom {
  Buffer<T>& vectors;
  Index threads;
};

// Improves the answer x.  solve(r) overwrites r with the correction.  Each step reads A once: its
// product gives the error of the new x and the residual for the next step.
template <class T, class Solve>
RefineReport refine(const CsrView<T>& a, const Vectors<const T>& b, const Vectors<T>& x,
                    const RefineOptions& o, const RefineRoom<T>& room, const Solve& solve) {
  const auto size = static_cast<std::size_t>(x.n) * static_cast<std::size_t>(x.count);
  room.vectors.resize(std::max(room.vectors.size(), 2 * size));
  const Vectors<T> r(room.vectors.data(), x.n, x.count);
  const Vectors<T> before(room.vectors.data() + size, x.n, x.count);
  const auto measure = [&] { return find_residual<T>(a, b, x, r, room.threads); };
  const double goal = std::numeric_limits<Real<T>>::epsilon();
  RefineReport report;
  report.first_error = report.last_error = measure();
  while (report.steps < o.steps && !(o.stop_when_stalled && report.last_error <= goal)) {
    solve(r);
    take_step(x, r, before, thread_count(room.threads));
    const double error = measure();
    if (o.stop_when_stalled && !(error < report.last_error)) {
      take_back(x, before);
      break;
    }
    ++report.steps;
    const bool stalled = o.stop_when_stalled && error > report.last_error / 2;
    report.last_error = error;
    if (stalled) break;
  }
  return report;
}

}  // namespace echelon
