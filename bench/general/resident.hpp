// bench/general/resident.hpp -- an entrant whose vectors stay on the device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "contender.hpp"
#include "support/timed_solve.hpp"

namespace echelon::bench {

template <Scalar T>
Entrant<T> make_resident(const Task<T>& task, Facts facts, const SolveCall<T>& call) {
  const auto there = std::make_shared<const ResidentVectors<T>>(task.right_sides());
  const auto solve = [there, call](std::span<T> x) {
    const double seconds = there->time(call);
    there->store(x);
    return seconds;
  };
  return {std::move(facts), solve, [there, call] { return there->time(call); }};
}

}  // namespace echelon::bench
