// analysis/windows.hpp -- schedules a graph of rows or clusters on threads and supersteps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "echelon/analysis.hpp"

namespace echelon {

struct Place {
  Index step = -1;  // superstep
  Index part = 0;   // thread

  bool operator==(const Place&) const = default;
};

struct Windows {
  Index count = 0;  // supersteps
  Buffer<Place> place;
  Buffer<Index> wait_start;  // size count*parts+1, see Supersteps
  Buffer<Supersteps::Wait> waits;
  double makespan = 0;
};

// Schedules the nodes of a graph, listed by rows, on `parts` threads; `work` is by node.
Windows lay_windows(const DependencyGraph& g, const LevelSets& levels, std::span<const double> work,
                    Index parts, const ScheduleOptions& o);

}  // namespace echelon
