// base/read_sum_text.hpp -- the array-sum kernel, compiled once per vector unit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "base/unit_vectors.hpp"

namespace echelon {
namespace {

// Eight independent sums: one alone is bound by the latency of additions.  With sanitizers the
// measurement would be of their checks, so they are off.
__attribute__((no_sanitize("address", "undefined", "thread"))) inline double sum_array(
    const double* values, std::size_t count) {
  constexpr int lanes = unit_bytes / static_cast<int>(sizeof(double)), streams = 8;
  using Vector = VectorWith<double, lanes>;
  Vector part[streams] = {};
  // NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): constants
  for (const double* const end = values + count; values < end; values += streams * lanes)
    for (int s = 0; s < streams; ++s)
      part[s] += *reinterpret_cast<const Vector*>(values + s * lanes);
  // NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
  for (int s = 1; s < streams; ++s) part[0] += part[s];
  double all = 0;
  for (int lane = 0; lane < lanes; ++lane) all += part[0][lane];
  return all;
}

}  // namespace

double ECHELON_OF_UNIT(read_sum)(const double* values, std::size_t count);
double ECHELON_OF_UNIT(read_sum)(const double* values, std::size_t count) {
  return sum_array(values, count);
}

}  // namespace echelon
