// model/choose_method.cpp -- `automatic`: one thread or supersteps, rows or panels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The superstep schedule contains the level schedule as its limit (windows of one
// level), waits point to point where that has barriers, and reads the matrix in the same
// order as the plain sweep inside a task; so the choice on CPU threads is between it and one
// thread.  Its speed-up comes from simulating the schedule, less the time to wake the team.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "echelon/model.hpp"
#include "model/tuning.hpp"

namespace echelon {
namespace {

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

double solve_work(const Workload& w) {
  return static_cast<double>(w.nonzeros) + 3.0 * static_cast<double>(w.n);
}

}  // namespace

bool worth_a_schedule(const Workload& w, Choice& choice) {
  choice.method = Method::serial;
  if (w.n == 0) {
    choice.reason = "there is nothing to solve";
  } else if (w.threads == 1) {
    choice.reason = "there is one thread to use";
  } else if (w.levels == w.n) {
    choice.reason = "the unknowns form one chain";
  } else if (static_cast<double>(w.n) / std::max<Index>(w.levels, 1) < 2) {
    choice.reason = "fewer than two unknowns a level";
  } else if (solve_work(w) < 8 * team_start_work) {
    choice.reason = "too small to wake other threads";
  } else if (w.expected_solves * (1 - 1.0 / w.threads) < schedule_cost_solves) {
    choice.reason = "too few solves expected to pay for a schedule";
  } else {
    return true;
  }
  return false;
}

bool worth_panels(const PanelWorkload& w) {
  const auto value = static_cast<double>(w.value_bytes);
  const double by_rows =
      (value + 4) * static_cast<double>(w.nonzeros) + row_bytes * static_cast<double>(w.n);
  const double by_panels = value * static_cast<double>(w.entries) +
                           panel_row_bytes * static_cast<double>(w.rows) +
                           panel_bytes * static_cast<double>(w.supernodes);
  return by_panels <= by_rows;
}

Choice choose_method(const Workload& w) {
  Choice choice;
  if (!worth_a_schedule(w, choice)) return choice;
  const double work = solve_work(w);
  const double speedup = work / (work / w.superstep_speedup + team_start_work);
  const std::string expected = "supersteps on " + std::to_string(w.threads) +
                               " threads should be " + rounded(speedup) + " times as fast as one";
  if (speedup < least_speedup) return {Method::serial, expected + ", which does not pay"};
  return {Method::superstep, expected};
}

Choice choose_supernodal_on_device() {
  return {Method::tree,
          "on a GPU: subtrees to thread blocks, then the top shared by all, for the fewest bytes "
          "and waits"};
}

Choice choose_on_device(const DeviceWorkload& w) {
  if (w.near_entries >= least_near_entries) return choose_supernodal_on_device();
  if (w.levels < least_levels_in_bands)
    return {Method::element_row,
            "of " + std::to_string(w.levels) + " levels there is nothing to gather in bands"};
  const double bytes = 12.0 * static_cast<double>(w.nonzeros) + 40.0 * static_cast<double>(w.n);
  const double streaming = bytes / device_bandwidth;
  const double by_levels = launch_s + w.levels * level_launch_s + streaming;
  const double per_row = static_cast<double>(w.nonzeros) / std::max<Index>(w.n, 1);
  const double by_elements = launch_s + w.levels * (element_hop_s + element_hop_entry_s * per_row) +
                             element_entry_s * static_cast<double>(w.nonzeros);
  const double by_bands = launch_s + std::max(w.bands_s, streaming);
  const auto told = [](double seconds) { return rounded(1e6 * seconds) + " us"; };
  if (by_bands <= by_levels && by_bands <= by_elements)
    return {Method::superstep, "in bands a solve should take " + told(by_bands) +
                                   ", level by level " + told(by_levels) + ", row by row " +
                                   told(by_elements)};
  if (by_levels <= by_elements)
    return {Method::level_row, "few wide levels: one launch each should take " + told(by_levels) +
                                   ", bands " + told(by_bands)};
  return {Method::element_row,
          "row by row a solve should take " + told(by_elements) + ", in bands " + told(by_bands)};
}

}  // namespace echelon
