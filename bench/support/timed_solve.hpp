// bench/support/timed_solve.hpp -- times solves with the host's clock, or with the device's for
// vectors in device memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "echelon/device.hpp"
#include "echelon/matrix.hpp"
#include "support/clock.hpp"

namespace echelon::bench {

template <Scalar T>
using SolveCall = std::function<void(const Vectors<const T>& b, const Vectors<T>& x, void* stream)>;

// Seconds of each of `repeats` calls, after `warmup` others.  b and x are contiguous in host
// memory; copies to and from the device are not timed.
template <Scalar T>
std::vector<double> time_solves(Backend backend, int repeats, int warmup, const Vectors<const T>& b,
                                const Vectors<T>& x, const SolveCall<T>& solve) {
  if (backend == Backend::cpu) {
    std::vector<double> seconds;
    for (int k = 0; k < warmup; ++k) solve(b, x, nullptr);
    for (int k = 0; k < repeats; ++k) seconds.push_back(time_of([&] { solve(b, x, nullptr); }));
    return seconds;
  }
  const std::size_t size = static_cast<std::size_t>(b.n) * static_cast<std::size_t>(b.count);
  const DeviceVector<T> given(std::span<const T>(b.data, size)), found(size);
  const Vectors<const T> on_b(given.data(), b.n, b.count, 0, b.layout);
  const Vectors<T> on_x(found.data(), x.n, x.count, 0, x.layout);
  const auto seconds =
      time_on_device(repeats, warmup, [&](void* stream) { solve(on_b, on_x, stream); });
  found.store(std::span<T>(x.data, size));
  return seconds;
}

// b and x on the device, by columns, for all solves that are timed: nothing is copied in between.
template <Scalar T>
class ResidentVectors {
 public:
  explicit ResidentVectors(const Vectors<const T>& b)
      : n_(b.n),
        count_(b.count),
        b_(std::span<const T>(b.data, static_cast<std::size_t>(b.n) * b.count)),
        x_(b_.size()) {}

  // Seconds of one solve, right after another one, so that the device is not idle before it.
  double time(const SolveCall<T>& solve) const {
    const Vectors<const T> b(b_.data(), n_, count_);
    const Vectors<T> x(x_.data(), n_, count_);
    return time_on_device(1, 1, [&](void* stream) { solve(b, x, stream); }).front();
  }
  void store(std::span<T> x) const { x_.store(x); }

 private:
  Index n_, count_;
  DeviceVector<T> b_, x_;
};

}  // namespace echelon::bench
