// smoother/space.hpp -- the memory of one caller's sweeps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "echelon/executor.hpp"
#include "echelon/smoother.hpp"

namespace echelon {

// Each form fills the members that it needs.
template <Scalar T>
struct SmootherSpace {
  std::vector<std::unique_ptr<Workspace>> passes;     // of each side's executor, or
  std::vector<typename Solver<T>::Workspace> solves;  // of each side's solver
  Buffer<T> room;                                     // vectors besides b and x; on a device
  DeviceVector<T> there;                              // r, and b and x of the host,
  std::vector<DeviceVector<T>> before;                // smaller ones, which graphs may use,
  std::unique_ptr<StreamOrder> order;                 // for one call after the other
  std::atomic_flag busy = ATOMIC_FLAG_INIT;

  Offset bytes() const {
    auto sum = static_cast<Offset>((room.size() + there.size()) * sizeof(T));
    for (const auto& smaller : before) sum += static_cast<Offset>(smaller.size() * sizeof(T));
    for (const auto& pass : passes) sum += pass->bytes();
    for (const auto& solve : solves) sum += solve.bytes();
    return sum;
  }
};

}  // namespace echelon
