// echelon/estimate.hpp -- how long one solve should take on one machine, by each method, and what
// pays after how many solves.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after supernode.hpp and machine.hpp; advises model.hpp.
//
// An estimate is a sum of what is read, what tasks and rows take besides, what is waited for along
// the longest path, and the beginning; docs/method.md has the formulas, bench/model what they are
// worth.  All are of one right-hand side.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/machine.hpp"
#include "echelon/supernode.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Seconds of one solve.  total_s is the sum of the parts.
struct Estimate {
  double total_s = 0;
  double read_s = 0;  // matrix and vectors, at the speed of all workers
  double path_s =
      0;  // hops, barriers or launches one after the other, beyond what is read meanwhile
  double task_s = 0;  // of rows, tasks and entries besides their bytes, shared by all workers
  double wake_s = 0;  // before the first task
  const char* limit = "nothing";  // the largest part: reading, path, tasks, start
};

// A triangle by rows or columns.
struct RowFacts {
  Index n = 0;
  Offset nonzeros = 0;  // without the diagonal
  Index levels = 0;
  Index wide_levels = 0;         // that a GPU launches one by one; the others share a block
  Index threads = 1;             // of a CPU
  double superstep_speedup = 1;  // as the schedule's simulation gives it; 1: none was made
  double bands_s = 0;            // on a GPU, the longest chain through the bands (choose_bands)
  std::size_t value_bytes = 8;

  // What one solve reads and writes: entries with their indices; of each unknown its diagonal, b,
  // x, where it stands and where its list begins.
  double bytes() const;
};
// Levels and sizes of a graph; what the schedules say is left as it is.  O(n).
RowFacts find_row_facts(const DependencyGraph& g, const Levels& levels);

// A triangle in panels.
struct PanelFacts {
  Index n = 0;
  Index panels = 0;
  Offset entries = 0;         // of all panels, explicit zeros included
  Offset rows = 0;            // below, of all panels
  Index levels = 0;           // of tasks: barriers, or hops from tile to tile
  Offset path_triangles = 0;  // entries of the widest triangle of each level
  double invert_flops = 0;    // that inverses of all triangles take
  Index threads = 1;          // of a CPU
  std::size_t value_bytes = 8;
  double stored_bytes = 0;  // that a solve reads, where it is known; 0: from the above

  double bytes() const;
};
PanelFacts find_panel_facts(const Supernodes& s);

// serial, level_*, element_* and superstep; serial on a CPU alone.  Throws bad_argument for others.
Estimate estimate_rows(Method method, const RowFacts& facts, const Machine& machine);
// The methods on supernodes; of a GPU tree alone.  Throws bad_argument for others.
Estimate estimate_panels(Method method, const PanelFacts& facts, const Machine& machine);

// Inverses of all diagonal blocks, on CPU threads.
double estimate_inversion(const PanelFacts& facts);

// What `automatic` takes for the machine: machines/xeon.txt and machines/h200.txt.
const Machine& default_machine(MachineKind kind);

// One way to the same answers.
struct Alternative {
  std::string name;
  double prepare_s = 0;  // once: analysis, setup
  double solve_s = 0;    // each time
};
struct Advice {
  std::size_t best = 0;  // the alternative with the least total for the solves expected
  double total_s = 0;    // of that
  // For each: the least number of solves, 1 or more, from which on it takes no more in all than the
  // first alternative; infinity: never.  Of the first, 1.
  std::vector<double> pays_after;
  std::string sentence;  // the same in words
};
// Throws bad_argument if there is no alternative, or a time is negative or no number.
Advice advise(std::span<const Alternative> alternatives, double expected_solves);
// "tree pays after 12 solves", "tree pays at once", "tree never pays"; `pays` is the verb.
std::string payoff_text(std::string_view what, std::string_view pays, double pays_after);

}  // namespace echelon
#pragma GCC visibility pop
