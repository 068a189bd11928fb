// model/estimate.cpp -- predicts the time of one solve on one machine, per method.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The bytes divided by the read speed of all workers; plus the cost of rows, tasks and
// entries, divided among the workers; plus the waits along the longest path: barriers of levels,
// hops from thread to thread or row to row, launches.  If the schedule was simulated (supersteps,
// bands), its longest chain includes reading, and the path counts only the excess.
#include "echelon/tools/estimate.hpp"

#include <algorithm>

#include "echelon/error.hpp"
#include "model/tuning.hpp"

namespace echelon {
namespace {

Estimate sum_up(Estimate e) {
  e.total_s = e.wake_s + e.read_s + e.task_s + e.path_s;
  double most = 0;
  const auto look_at = [&](double part, const char* name) {
    if (part <= most) return;
    most = part;
    e.limit = name;
  };
  look_at(e.read_s, "reading");
  look_at(e.path_s, "path");
  look_at(e.task_s, "tasks");
  look_at(e.wake_s, "start");
  return e;
}

[[noreturn]] void refuse(const char* text) { throw Error(ErrorCode::bad_argument, text); }

// The time of a chain beyond the work that is done meanwhile.
double beyond(double work_s, double chain_s) { return std::max(chain_s - work_s, 0.0); }

// The work of the plain sweep, divided among the threads.
Estimate read_in_turn(const RowFacts& f, const Machine& m, Index threads) {
  Estimate e;
  e.read_s = f.bytes() / (threads * m.read_speed(f.bytes(), threads));
  e.task_s = m.row_s * f.n / threads;
  return e;
}

// Cost of an entry besides reading it.
double entry_s(Method method, bool alone) {
  switch (method) {
    case Method::level_column:
      return alone ? pushed_s : atomic_s;
    case Method::element_row:
      return alone ? 0 : flag_s;
    case Method::element_column:
      return alone ? counted_s : atomic_counted_s;
    default:
      return 0;
  }
}

Estimate estimate_on_threads(Method method, const RowFacts& f, const Machine& m) {
  if (method == Method::serial || f.n == 0) return sum_up(read_in_turn(f, m, 1));
  const Index threads = std::max<Index>(f.threads, 1);
  const bool alone = threads == 1;
  Estimate e = read_in_turn(f, m, threads);
  if (!alone) e.wake_s = m.wake_s;
  if (method == Method::superstep) {
    const double chain = sum_up(read_in_turn(f, m, 1)).total_s / std::max(f.superstep_speedup, 1.0);
    e.path_s = alone ? 0 : beyond(e.read_s + e.task_s, chain);
    return sum_up(e);
  }
  const bool by_levels = method == Method::level_row || method == Method::level_column;
  const double scattered = by_levels ? scatter_s : flagged_scatter_s;
  e.task_s +=
      (scattered * f.n + entry_s(method, alone) * static_cast<double>(f.nonzeros)) / threads;
  if (!alone) e.path_s = f.levels * (by_levels ? m.barrier_s : m.hop_s);
  return sum_up(e);
}

Estimate estimate_on_device(Method method, const RowFacts& f, const Machine& m) {
  Estimate e;
  e.wake_s = m.wake_s;
  e.read_s = f.bytes() / m.read_speed(f.bytes(), 1);
  const auto entries = static_cast<double>(f.nonzeros);
  const double per_row = entries / std::max<Index>(f.n, 1);
  const Index narrow = std::max<Index>(f.levels - f.wide_levels, 0);
  switch (method) {
    case Method::level_row:
    case Method::level_column:
      e.path_s = f.wide_levels * m.barrier_s + narrow * narrow_level_hops * m.hop_s;
      break;
    case Method::element_row:
      e.path_s = beyond(e.read_s, f.levels * m.hop_s * (1 + entry_hops * per_row));
      e.task_s = waiting_row_s * entries;
      break;
    case Method::element_column:
      e.path_s = beyond(e.read_s, f.levels * m.hop_s * (column_hops + column_entry_hops * per_row));
      e.task_s = waiting_column_s * entries;
      break;
    case Method::superstep:
      e.path_s = std::max(f.bands_s - e.read_s, 0.0);
      break;
    default:
      refuse("on a GPU there is no estimate of method serial");
  }
  return sum_up(e);
}

}  // namespace

double RowFacts::bytes() const {
  const auto value = static_cast<double>(value_bytes);
  return (value + sizeof(Index)) * static_cast<double>(nonzeros) +
         (3 * value + 2 * sizeof(Index)) * n;
}

double PanelFacts::bytes() const {
  if (stored_bytes > 0) return stored_bytes;
  const auto value = static_cast<double>(value_bytes);
  return value * static_cast<double>(entries) +
         (value + sizeof(Index)) * static_cast<double>(rows) + 2 * value * n;
}

Estimate estimate_rows(Method method, const RowFacts& facts, const Machine& machine) {
  if (is_supernodal(method) || method == Method::automatic)
    refuse(
        "estimate_rows knows methods by rows and columns, not automatic and not those on "
        "supernodes");
  return machine.kind == MachineKind::gpu ? estimate_on_device(method, facts, machine)
                                          : estimate_on_threads(method, facts, machine);
}

Estimate estimate_panels(Method method, const PanelFacts& f, const Machine& m) {
  if (!is_supernodal(method)) refuse("estimate_panels knows methods on supernodes only");
  Estimate e;
  if (m.kind == MachineKind::gpu) {
    e.wake_s = m.wake_s;
    e.read_s = f.bytes() / m.read_speed(f.bytes(), 1);
    e.path_s = f.levels * (method == Method::tree ? tree_level_hops * m.hop_s : m.barrier_s);
    return sum_up(e);
  }
  // Sequential BLAS calls are one thread's work.
  const Index threads = method == Method::plain ? 1 : std::max<Index>(f.threads, 1);
  const double speed = m.read_speed(f.bytes(), threads);
  e.read_s = f.bytes() / (threads * speed);
  e.task_s = (m.task_s * f.panels + m.row_s * static_cast<double>(f.rows)) / threads;
  if (threads > 1) {
    e.wake_s = m.wake_s;
    e.path_s = f.levels * m.barrier_s;
    // A triangle that is not inverted is one thread's work, and the others wait for it.
    if (method == Method::stream || method == Method::team || method == Method::merge)
      e.path_s += static_cast<double>(f.value_bytes) * static_cast<double>(f.path_triangles) *
                  (1 - 1.0 / threads) / speed;
  }
  return sum_up(e);
}

double estimate_inversion(const PanelFacts& f) {
  return f.invert_flops / (invert_flops_per_s * std::max<Index>(f.threads, 1));
}

const Machine& default_machine(MachineKind kind) {
  static const Machine cpu = known_machine("xeon"), gpu = known_machine("h200");
  return kind == MachineKind::gpu ? gpu : cpu;
}

}  // namespace echelon
