// cli/report_members.cpp -- JSON members that several reports have in common.
// SPDX-License-Identifier: BSD-3-Clause
#include "report_members.hpp"

namespace echelon::cli {

Json solve_times(const Spread& solve) {
  return Json::object()
      .set("solve_s", solve.median)
      .set("solve_min_s", solve.least)
      .set("solve_max_s", solve.most);
}

Json bench_times(const Spread& solve) {
  return solve_times(solve)
      .set("solve_q1_s", solve.first_quartile)
      .set("solve_q3_s", solve.third_quartile)
      .set("repeats", solve.repeats);
}

Json supernode_counts(const SupernodeReport& supernodes) {
  return Json::object()
      .set("supernodes_found", supernodes.found)
      .set("supernodes", supernodes.count)
      .set("levels_found", supernodes.levels_found)
      .set("levels", supernodes.levels);
}

}  // namespace echelon::cli
