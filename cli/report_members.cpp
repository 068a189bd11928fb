// cli/report_members.cpp -- JSON members shared by several reports.
// SPDX-License-Identifier: BSD-3-Clause
#include "report_members.hpp"

namespace echelon::cli {

Json times_of(const std::string& name, const Spread& seconds) {
  return Json::object()
      .set(name + "_s", seconds.median)
      .set(name + "_min_s", seconds.least)
      .set(name + "_max_s", seconds.most);
}

Json solve_times(const Spread& seconds) {
  return times_of("solve", seconds).set("repeats", seconds.repeats);
}

namespace {

double per_second(double bytes, double seconds) { return seconds > 0 ? bytes / seconds : 0; }
Json share_of(double speed, double most) {
  return most > 0 ? positive_or_null(speed / most) : Json();
}

}  // namespace

Json traffic(double bytes, double seconds, double most) {
  const double speed = per_second(bytes, seconds);
  return Json::object()
      .set("traffic_bytes", positive_or_null(bytes))
      .set("gb_per_s", positive_or_null(speed / 1e9))
      .set("bandwidth_share", share_of(speed, most));
}

Json nonzero_traffic(double bytes, double seconds, double most) {
  const double speed = per_second(bytes, seconds);
  return Json::object()
      .set("nonzero_bytes", bytes)
      .set("nonzero_gb_per_s", speed / 1e9)
      .set("nonzero_share", share_of(speed, most));
}

Json triangle_members(const SupernodeReport& s, Offset matrix_bytes, Index launches) {
  return Json::object()
      .set("nnz", s.nonzeros)
      .add(supernode_counts(s))
      .set("tasks", s.tasks)
      .set("task_levels", s.task_levels)
      .set("max_panel_columns", s.max_panel_columns)
      .set("supernodes_cut", s.cut)
      .set("explicit_zeros", s.explicit_zeros)
      .set("stored_entries", s.stored)
      .set("bytes", matrix_bytes)
      .set("launches", launches);
}

Json bench_times(const Spread& seconds) {
  return solve_times(seconds)
      .set("solve_q1_s", seconds.first_quartile)
      .set("solve_q3_s", seconds.third_quartile);
}

Json supernode_counts(const SupernodeReport& supernodes) {
  return Json::object()
      .set("supernodes_found", supernodes.found)
      .set("supernodes", supernodes.count)
      .set("levels_found", supernodes.levels_found)
      .set("levels", supernodes.levels);
}

Json to_json(VectorUnit unit) { return unit == VectorUnit::automatic ? Json() : Json(name(unit)); }

}  // namespace echelon::cli
