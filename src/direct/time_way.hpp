// direct/time_way.hpp -- times solves with one triangle, at setup.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/timer.hpp"
#include "direct/way.hpp"
#include "echelon/device.hpp"

namespace echelon {

// Keeps the vectors of the timed solves: host vectors, or vectors on the current device.
template <Scalar T>
class SolveClock {
 public:
  SolveClock(Index n, Backend backend) : n_(n) {
    const std::vector<T> ones(static_cast<std::size_t>(n), T(1));
    if (backend == Backend::cuda) {
      device_b_ = DeviceVector<T>(std::span<const T>(ones));
      device_x_ = DeviceVector<T>(ones.size());
    } else {
      b_ = ones;
      x_.resize(ones.size());
    }
  }

  // The least seconds of a solve, warm caches: what other programs or the threads of a BLAS take
  // for a while does not decide for all solves to come.  The solves of the ways take turns.
  struct Entrant {
    const Way<T>& way;
    Index threads;
  };
  std::vector<double> time(const std::vector<Entrant>& entrants) {
    std::vector<Runner> runners;
    runners.reserve(entrants.size());
    for (const Entrant& e : entrants) runners.push_back({e, e.way.triangle->make_space()});
    double sum = 0;
    for (int round = 0; round < most_rounds && (round < least_rounds || sum < enough_s); ++round)
      for (Runner& r : runners) {
        const double seconds = run(r);
        r.seconds = std::min(r.seconds, seconds);
        sum += seconds;
      }
    std::vector<double> least;
    least.reserve(runners.size());
    for (const Runner& r : runners) least.push_back(r.seconds);
    return least;
  }

 private:
  static constexpr int least_rounds = 3, most_rounds = 9;
  static constexpr double enough_s = 0.05;

  struct Runner {
    Entrant entrant;
    TriangleSpace space;
    double seconds = std::numeric_limits<double>::infinity();
  };

  // The second of two solves, so that caches hold what they can.  An answer that is not finite
  // does not matter here: check() forgets it.
  double run(Runner& r) {
    double seconds = 0;
    if (!b_.empty() || n_ == 0) {
      for (int k = 0; k < 2; ++k) {
        const Timer timer;
        solve(r, b_.data(), x_.data(), nullptr);
        seconds = timer.seconds();
      }
    } else {
      seconds = time_on_device(1, 1, [&](void* stream) {
                  solve(r, device_b_.data(), device_x_.data(), stream);
                }).front();
      r.entrant.way.triangle->check(r.space);
    }
    return seconds;
  }
  void solve(Runner& r, const T* b, T* x, void* stream) const {
    r.entrant.way.triangle->solve(
        r.space, Vectors<const T>(b, n_), Vectors<T>(x, n_),
        {.op = r.entrant.way.op, .threads = r.entrant.threads, .stream = stream});
  }

  Index n_;
  std::vector<T> b_, x_;
  DeviceVector<T> device_b_, device_x_;
};

}  // namespace echelon
