// model/tuning.hpp -- measured numbers behind the choice of a method.
// SPDX-License-Identifier: BSD-3-Clause
//
// Found with `./dev bench` (bench/general/results): time to wake a team, analysis against
// solve.  They decide between methods whose times differ little near the border, so their
// order of magnitude is what counts.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

constexpr double team_start_work = 3000;    // waking a team of threads, in entries of work
constexpr double schedule_cost_solves = 8;  // a superstep analysis against a serial solve
constexpr double least_speedup = 1.1;       // below this, threads are not worth their trouble

// Rows against panels, in bytes of streaming: what an unknown, a panel and a row of it cost
// besides their values (a panel takes about 80 ns, a core streams about 10 bytes in one).
constexpr double row_bytes = 20;
constexpr double panel_bytes = 800;
constexpr double panel_row_bytes = 24;

// On a GPU: an NVIDIA H200 (bench/pp20_li).
constexpr double device_bandwidth = 3e12;      // bytes a second, of rows here and there
constexpr double launch_s = 4e-6;              // of a solve
constexpr double level_launch_s = 4.2e-6;      // of a level that is launched
constexpr double element_hop_s = 0.5e-6;       // of a level, from row to row,
constexpr double element_hop_entry_s = 30e-9;  // and for each entry of its rows
constexpr double element_entry_s = 0.02e-9;    // of all entries, while rows wait
constexpr Index least_levels_in_bands = 32;    // fewer are wide, and rows soon find all they need
constexpr double least_near_entries = 8;       // of 16: half of what full panels have

}  // namespace echelon
