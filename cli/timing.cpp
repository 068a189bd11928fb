// cli/timing.cpp -- median, extremes and quartiles of repeated runs.
// SPDX-License-Identifier: BSD-3-Clause
#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace echelon::cli {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

}  // namespace

void let_threads_rest() { std::this_thread::sleep_for(std::chrono::milliseconds(40)); }

Spread find_spread(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  return {static_cast<Index>(seconds.size()),
          quantile(seconds, 0.5),
          seconds.front(),
          seconds.back(),
          quantile(seconds, 0.25),
          quantile(seconds, 0.75)};
}

}  // namespace echelon::cli
