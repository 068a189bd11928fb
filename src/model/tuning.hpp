// model/tuning.hpp -- measured numbers behind the estimates and the choice of a method.
// SPDX-License-Identifier: BSD-3-Clause
//
// What depends on the machine is in machines/ (xeon.txt, h200.txt); here is what our kernels do on
// it, found with `./dev bench` (bench/general/results) and bench/pp20_li/gpu.py and compared with
// every result by bench/model/one_machine.py.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

constexpr double schedule_cost_solves = 8;   // a superstep analysis against a serial solve
constexpr double least_speedup = 1.1;        // below this, threads are not worth their trouble
constexpr double least_step_speedup = 1.15;  // of supersteps: bench/busy_cores, solves of 20 us
constexpr double least_wakes = 8;            // a solve has to last for threads to be woken
constexpr double least_panel_wakes = 20;     // on supernodes: bench/busy_cores, solves up to 60 us

// A cache line of a vector that another core wrote: sparse inverses (bench/busy_cores).
constexpr double line_s = 6e-8;

// Panels against the partitioned inverse as sparse matrices (bench/icpp20, Figure 10; bench/model).
constexpr double sparse_inverse_growth = 2;    // its entries over the factor's, at most
constexpr double sparse_inverse_solves = 100;  // that pay for making it in three of four cases

// On CPU threads: what methods that do not keep the order of the sweep take besides.
constexpr double scatter_s = 7e-9;              // a row far from the one before it: its b and x,
constexpr double flagged_scatter_s = 14e-9;     // and its flag or counter
constexpr double pushed_s = 1e-9;               // an entry that is added to x, on one thread
constexpr double atomic_s = 10e-9;              // and where others may add too
constexpr double flag_s = 3e-9;                 // a flag another thread may have set
constexpr double counted_s = 6.5e-9;            // an entry added and counted, on one thread
constexpr double atomic_counted_s = 2 * 10e-9;  // and on more

// Inverses of diagonal blocks: invert_diag's setup against merge's (bench/icpp20, Figure 12).
constexpr double invert_flops_per_s = 6e10;  // of a thread

// On a GPU, in hops of the machine: from row to row in element_row.
constexpr double entry_hops = 0.06;         // for each entry of a row, beyond the hop itself
constexpr double column_hops = 2.8;         // element_column: counters, and sums added to by many
constexpr double column_entry_hops = 0.14;  // for each entry of a column
constexpr double narrow_level_hops = 4;     // a level of a block that has many, one after the other
constexpr double tree_level_hops = 5;       // a level of tiles: a sum, a product, and both told
constexpr double waiting_row_s = 0.02e-9;   // of each entry, while rows wait: they look again
constexpr double waiting_column_s = 0.03e-9;
constexpr Offset narrow_threads = 512;  // of a level that shares a block and its launch with others
constexpr Index least_levels_in_bands = 32;  // fewer are wide, and rows soon find all they need
constexpr double least_near_entries = 8;     // of 16: half of what full panels have

}  // namespace echelon
