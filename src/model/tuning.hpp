// model/tuning.hpp -- measured constants of the estimates and of the choice of a method.
// SPDX-License-Identifier: BSD-3-Clause
//
// Constants of the machine are in machines/ (xeon.txt, h200.txt).  Here are those of our kernels on
// it, found with `./dev bench` (bench/general/results) and bench/gauss_seidel/gpu.py, and compared
// with every result by bench/model/one_machine.py.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

constexpr double schedule_cost_solves = 8;   // cost of a superstep analysis, in serial solves
constexpr double least_speedup = 1.1;        // below this, threads do not pay
constexpr double least_step_speedup = 1.15;  // for supersteps: bench/busy_cores, solves of 20 us
constexpr double least_wakes = 8;            // shortest solve that wakes threads, in wake times
constexpr double least_timed_wakes = 4;      // shortest solve that is timed with several threads
constexpr double least_panel_wakes = 20;     // for supernodes: bench/busy_cores, solves up to 60 us

// Reading a cache line that another core wrote: sparse inverses (bench/busy_cores).
constexpr double line_s = 6e-8;

// Panels versus the partitioned inverse as sparse matrices (bench/factor_solve, Figure 10;
// bench/model).
constexpr double sparse_inverse_growth = 2;    // its entries over the factor's, at most
constexpr double sparse_inverse_solves = 100;  // solves that pay for it in three of four cases

// On CPU threads: extra cost of methods that do not keep the order of the sweep.
constexpr double scatter_s = 7e-9;              // per row far from the one before: its b and x,
constexpr double flagged_scatter_s = 14e-9;     // and its flag or counter
constexpr double pushed_s = 1e-9;               // per entry added to x, on one thread
constexpr double atomic_s = 10e-9;              // and with atomics, on several threads
constexpr double flag_s = 3e-9;                 // per flag that another thread may have set
constexpr double counted_s = 6.5e-9;            // per entry added and counted, on one thread
constexpr double atomic_counted_s = 2 * 10e-9;  // and on several threads

// Inverses of diagonal blocks: the setup of invert_diag versus merge (bench/factor_solve, Figure
// 12).
constexpr double invert_flops_per_s = 6e10;  // per thread

// Setup on a GPU, analysis included: small factors and real ones (bench/real).
constexpr double device_setup_s = 1e-3;
constexpr double device_panel_setup_s = 3e-6;       // per panel: its tiles and slots
constexpr double device_entry_setup_s = 7e-9;       // per entry of panels
constexpr double device_row_entry_setup_s = 22e-9;  // per nonzero, row by row

// On a GPU, in hops of the machine; a hop is from row to row in element_row.
constexpr double entry_hops = 0.06;          // per entry of a row, in addition to the hop itself
constexpr double column_hops = 2.8;          // element_column: counters, and atomic sums
constexpr double column_entry_hops = 0.14;   // per entry of a column
constexpr double least_row_level_s = 60e-9;  // a level inside a band (decision 0020)
constexpr double narrow_level_hops = 4;      // per level, if one block runs many levels in sequence
constexpr double tree_level_hops = 5;        // per level of tiles: a sum, a product, both published
constexpr double waiting_row_s = 0.02e-9;    // per entry, while rows wait and poll
constexpr double waiting_column_s = 0.03e-9;
constexpr Offset narrow_threads = 512;  // of a level that shares a block and a launch with others
constexpr Index least_levels_in_bands = 32;  // fewer levels are wide, and rows rarely wait
constexpr double least_near_entries = 8;     // of 16: half of those in full panels

}  // namespace echelon
