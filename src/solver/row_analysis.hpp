// solver/row_analysis.hpp -- the analysis of a triangle that is solved by rows, not in panels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/solver.hpp"

namespace echelon {

struct RowAnalysis {
  Analysis analysis;
  double solve_s = 0;  // estimated time of one solve

  // Method automatic chooses among the methods by rows only.
  static RowAnalysis make(const TrianglePattern& t, const Options& options);
};

}  // namespace echelon
