// base/read_sum_text.hpp -- the text of the sum of an array, compiled once per vector unit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "base/unit_vectors.hpp"

namespace echelon {
namespace {

// Eight sums side by side, as one alone would wait for each addition.  Sanitizers would measure
// themselves.
__attribute__((no_sanitize("address", "undefined", "thread"))) inline double sum_array(
    const double* values, std::size_t count) {
  constexpr int lanes = unit_bytes / static_cast<int>(sizeof(double)), streams = 8;
  using Vector = VectorWith<double, lanes>;
  Vector part[streams] = {};
  for (const double* const end = values + count; values < end; values += streams * lanes)
    for (int s = 0; s < streams; ++s)
      part[s] += *reinterpret_cast<const Vector*>(values + s * lanes);
  for (int s = 1; s < streams; ++s) part[0] += part[s];
  double all = 0;
  for (int lane = 0; lane < lanes; ++lane) all += part[0][lane];
  return all;
}

}  // namespace
}  // namespace echelon
