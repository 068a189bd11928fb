// model/choose_method.cpp -- the method `automatic`: one thread or supersteps, rows or panels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The superstep schedule contains the level schedule as its limit (windows of one level),
// waits point to point instead of at barriers, and inside a task reads the matrix in the same order
// as the plain sweep.  So on CPU threads the choice is between supersteps and one thread.  The
// speed-up comes from a simulation of the schedule, limited by the machine's read bandwidth, minus
// the time to wake the team.
#include <algorithm>
#include <cstdio>

#include "echelon/tools/model.hpp"
#include "model/tuning.hpp"

namespace echelon {
namespace {

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

RowFacts facts_of(const Workload& w) {
  RowFacts facts;
  facts.n = w.n;
  facts.nonzeros = w.nonzeros;
  facts.levels = w.levels;
  facts.threads = w.threads;
  facts.superstep_speedup = w.superstep_speedup;
  return facts;
}

// Time of one thread, row by row.
double rows_s(const PanelWorkload& w, const Machine& machine) {
  RowFacts rows;
  rows.n = w.n;
  rows.nonzeros = w.nonzeros - w.n;
  rows.value_bytes = w.value_bytes;
  return estimate_rows(Method::serial, rows, machine).total_s;
}

PanelFacts facts_of(const PanelWorkload& w) {
  PanelFacts panels;
  panels.n = w.n;
  panels.panels = w.supernodes;
  panels.entries = w.entries;
  panels.rows = w.rows;
  panels.value_bytes = w.value_bytes;
  return panels;
}

// Time of one thread, panel by panel.
double panels_s(const PanelWorkload& w, const Machine& machine) {
  return estimate_panels(Method::tree, facts_of(w), machine).total_s;
}

std::string microseconds(const Estimate& e) { return rounded(1e6 * e.total_s) + " us"; }

}  // namespace

bool worth_a_schedule(const Workload& w, Choice& choice, const Machine& machine) {
  choice.method = Method::serial;
  if (w.n == 0) {
    choice.reason = "there is nothing to solve";
  } else if (w.threads == 1) {
    choice.reason = "only one thread may be used";
  } else if (w.levels == w.n) {
    choice.reason = "the unknowns form one chain";
  } else if (static_cast<double>(w.n) / std::max<Index>(w.levels, 1) < 2) {
    choice.reason = "fewer than two unknowns per level";
  } else if (estimate_rows(Method::serial, facts_of(w), machine).total_s <
             least_wakes * machine.wake_s) {
    choice.reason = "too small to wake other threads";
  } else if (w.expected_solves * (1 - 1.0 / w.threads) < schedule_cost_solves) {
    choice.reason = "too few solves expected to pay for a schedule";
  } else {
    return true;
  }
  return false;
}

PanelWorkload& PanelWorkload::operator+=(const PanelWorkload& other) {
  n += other.n;
  nonzeros += other.nonzeros;
  supernodes += other.supernodes;
  entries += other.entries;
  rows += other.rows;
  return *this;
}

bool worth_panels(const PanelWorkload& w, const Machine& machine) {
  return panels_s(w, machine) <= rows_s(w, machine);
}

namespace {

// On CPU threads.
double estimate_on_threads(Method method, const PanelWorkload& w, Index levels, Index threads,
                           const Machine& machine) {
  if (method == Method::spmv || method == Method::invert_full) {
    // Sparse rows instead of panels; their vectors move between cores.
    const double alone_s = rows_s(w, machine);
    const double lines = 2.0 * w.n * static_cast<double>(w.value_bytes) / 64;
    if (threads == 1) return alone_s;
    return machine.wake_s + alone_s / threads + levels * machine.barrier_s + lines * line_s;
  }
  PanelFacts facts = facts_of(w);
  facts.levels = threads == 1 ? 0 : levels;
  facts.threads = threads;
  return estimate_panels(method, facts, machine).total_s;
}

}  // namespace

Index choose_threads(Method method, const PanelWorkload& w, Index levels, Index threads,
                     const Machine& machine) {
  const double alone_s = estimate_on_threads(method, w, levels, 1, machine);
  const double together_s = estimate_on_threads(method, w, levels, threads, machine);
  const bool pays =
      alone_s >= least_panel_wakes * machine.wake_s && alone_s >= least_speedup * together_s;
  return pays ? threads : 1;
}

bool worth_timing_threads(Method method, const PanelWorkload& w, const Machine& machine) {
  return estimate_on_threads(method, w, 0, 1, machine) >= least_timed_wakes * machine.wake_s;
}

double estimate_solve(Method method, const PanelWorkload& w, Index levels, Index threads,
                      Backend backend) {
  const bool gpu = backend == Backend::cuda;
  const Machine& machine = default_machine(gpu ? MachineKind::gpu : MachineKind::cpu);
  if (!gpu) return estimate_on_threads(method, w, levels, threads, machine);
  PanelFacts facts = facts_of(w);
  facts.levels = levels;
  return estimate_panels(method, facts, machine).total_s;
}

double estimate_setup(const PanelWorkload& w, double invert_flops, Index threads, Backend backend) {
  if (backend == Backend::cuda)
    return device_setup_s + device_panel_setup_s * w.supernodes +
           device_entry_setup_s * static_cast<double>(w.entries);
  PanelFacts facts = facts_of(w);
  facts.threads = threads;
  facts.invert_flops = invert_flops;
  return estimate_inversion(facts);
}

double estimate_rows_setup(const PanelWorkload& w, Backend backend) {
  if (backend == Backend::cuda)
    return device_setup_s + device_row_entry_setup_s * static_cast<double>(w.nonzeros);
  return schedule_cost_solves * rows_s(w, default_machine(MachineKind::cpu));
}

double least_rows_s(const PanelWorkload& w, Index path_columns, Index threads, Backend backend) {
  RowFacts rows;
  rows.n = w.n;
  rows.nonzeros = w.nonzeros - w.n;
  rows.value_bytes = w.value_bytes;
  const double bytes = rows.bytes();
  if (backend == Backend::cpu) {
    const Machine& cpu = default_machine(MachineKind::cpu);
    return estimate_rows(Method::serial, rows, cpu).total_s / threads;
  }
  const Machine& gpu = default_machine(MachineKind::gpu);
  return gpu.wake_s + std::max(bytes / gpu.read_speed(bytes, 1), path_columns * least_row_level_s);
}

bool worth_sparse_inverse(const PanelWorkload& w, double expected_solves, const Machine& machine) {
  return expected_solves >= sparse_inverse_solves &&
         panels_s(w, machine) > sparse_inverse_growth * rows_s(w, machine);
}

Choice choose_method(const Workload& w, const Machine& machine) {
  Choice choice;
  if (!worth_a_schedule(w, choice, machine)) return choice;
  const RowFacts facts = facts_of(w);
  const double speedup = estimate_rows(Method::serial, facts, machine).total_s /
                         estimate_rows(Method::superstep, facts, machine).total_s;
  const std::string expected = "supersteps on " + std::to_string(w.threads) +
                               " threads should be " + rounded(speedup) + " times as fast as one";
  if (speedup < least_step_speedup) return {Method::serial, expected + ", which does not pay"};
  return {Method::superstep, expected};
}

double count_near_entries(const DependencyGraph& g) {
  constexpr Index near = 16;
  const Index step = std::max<Index>(1, g.n / 4096);
  Offset rows = 0, entries = 0;
  for (Index k = step / 2; k < g.n; k += step, ++rows)
    for (const Index j : g.list(g.unknown(k)))
      if (k - g.unknown(j) <= near) ++entries;
  return rows == 0 ? 0 : static_cast<double>(entries) / static_cast<double>(rows);
}

Choice choose_supernodal_on_device(bool tree_fits) {
  if (!tree_fits)
    return {Method::invert_off,
            "the GPU's thread blocks have too little shared memory for subtrees: one launch per "
            "level"};
  return {Method::tree,
          "on a GPU: each thread block solves subtrees, then all share the top, which reads and "
          "waits least"};
}

Choice choose_on_device(const DeviceWorkload& w, const Machine& machine) {
  if (w.near_entries >= least_near_entries) return choose_supernodal_on_device(w.tree_fits);
  if (w.rows.levels < least_levels_in_bands)
    return {Method::element_row,
            std::to_string(w.rows.levels) + " levels are too few to combine in bands"};
  const Estimate by_bands = estimate_rows(Method::superstep, w.rows, machine);
  const Estimate by_levels = estimate_rows(Method::level_row, w.rows, machine);
  const Estimate by_elements = estimate_rows(Method::element_row, w.rows, machine);
  if (by_bands.total_s <= by_levels.total_s && by_bands.total_s <= by_elements.total_s)
    return {Method::superstep, "in bands a solve should take " + microseconds(by_bands) +
                                   ", level by level " + microseconds(by_levels) + ", row by row " +
                                   microseconds(by_elements)};
  if (by_levels.total_s <= by_elements.total_s)
    return {Method::level_row, "few wide levels: one launch per level should take " +
                                   microseconds(by_levels) + ", bands " + microseconds(by_bands)};
  return {Method::element_row, "row by row a solve should take " + microseconds(by_elements) +
                                   ", in bands " + microseconds(by_bands)};
}

}  // namespace echelon
