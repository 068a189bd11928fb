// echelon/estimate.hpp -- estimated time of one solve per method, and the number of solves after
// which a setup pays off.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after supernode.hpp and machine.hpp; advises model.hpp.
//
// An estimate adds the time to read, the cost of tasks and rows besides reading, the waits along
// the longest path, and the start.  Formulas: docs/method.md; accuracy: bench/model.  All for one
// right-hand side.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/machine.hpp"
#include "echelon/supernode.hpp"

namespace echelon {

// Seconds per solve. total_s is the sum of the parts.
struct Estimate {
  double total_s = 0;
  double read_s = 0;  // matrix and vectors, at the bandwidth of all workers
  double path_s = 0;  // sequential hops, barriers or launches, beyond the time to read
  double task_s = 0;  // rows, tasks and entries besides their bytes, divided among all workers
  double wake_s = 0;  // before the first task
  const char* limit = "nothing";  // the largest part: reading, path, tasks, start
};

// A triangle by rows or columns.
struct RowFacts {
  Index n = 0;
  Offset nonzeros = 0;  // without the diagonal
  Index levels = 0;
  Index wide_levels = 0;  // levels that a GPU launches one by one; the others share a thread block
  Index threads = 1;      // of a CPU
  double superstep_speedup = 1;  // from the schedule's simulation; 1: there was none
  double bands_s = 0;            // on a GPU, the longest chain through the bands (choose_bands)
  std::size_t value_bytes = 8;

  // Bytes that one solve reads and writes: entries with their indices; per unknown its diagonal, b,
  // x, its position and the start of its list.
  double bytes() const;
};
// Levels and sizes of a graph; the schedule fields keep their defaults.  O(n).
RowFacts find_row_facts(const DependencyGraph& g, const Levels& levels);

// A triangle in panels.
struct PanelFacts {
  Index n = 0;
  Index panels = 0;
  Offset entries = 0;         // in all panels, explicit zeros included
  Offset rows = 0;            // below the diagonal blocks, of all panels
  Index levels = 0;           // of tasks: barriers, or hops between tiles
  Offset path_triangles = 0;  // entries of the largest diagonal triangle of each level, summed
  double invert_flops = 0;    // to invert all diagonal triangles
  Index threads = 1;          // of a CPU
  std::size_t value_bytes = 8;
  double stored_bytes = 0;  // bytes a solve reads, if known; 0: computed from the fields above

  double bytes() const;
};
PanelFacts find_panel_facts(const Supernodes& s);

// serial, level_*, element_* and superstep; serial on a CPU only.  Throws bad_argument for others.
Estimate estimate_rows(Method method, const RowFacts& facts, const Machine& machine);
// The methods on supernodes; on a GPU only tree.  Throws bad_argument for others.
Estimate estimate_panels(Method method, const PanelFacts& facts, const Machine& machine);

// Seconds to invert all diagonal blocks on CPU threads.
double estimate_inversion(const PanelFacts& facts);

// The machine that `automatic` assumes: machines/xeon.txt or machines/h200.txt.
const Machine& default_machine(MachineKind kind);

// One of several ways to compute the same solutions.
struct Alternative {
  std::string name;
  double prepare_s = 0;  // once: analysis, setup
  double solve_s = 0;    // per solve
};
struct Advice {
  std::size_t best = 0;  // index of the alternative with the least total time
  double total_s = 0;    // of the best one
  // For each alternative: the least number of solves (at least 1) from which its total is no more
  // than that of the first alternative; infinity: never. 1 for the first.
  std::vector<double> pays_after;
  std::string sentence;  // the same in words
};
// Throws bad_argument without an alternative, or if a time is negative or not a number.
Advice advise(std::span<const Alternative> alternatives, double expected_solves);
// "tree pays after 12 solves", "tree pays at once", "tree never pays"; `pays` is the verb.
std::string payoff_text(std::string_view what, std::string_view pays, double pays_after);

}  // namespace echelon
