// echelon/tools/model.hpp -- chooses the method of a solve from its estimated cost.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after estimate.hpp, whose estimates it uses; advises solver.hpp.
#pragma once

#include <cstddef>
#include <string>

#include "echelon/analysis.hpp"
#include "echelon/tools/estimate.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The input of the choice.
struct Workload {
  Index n = 0;
  Offset nonzeros = 0;  // without the diagonal
  Index levels = 0;
  Index threads = 1;
  double expected_solves = 1000;
  double superstep_speedup = 1;  // from the schedule's simulation
};

struct Choice {
  Method method = Method::serial;
  std::string reason;  // one sentence for the report
};

// True if a superstep schedule is worth computing: several threads, enough work and parallelism,
// and enough solves to pay for the analysis.  If not, `choice` gets the reason.
bool worth_a_schedule(const Workload& w, Choice& choice,
                      const Machine& machine = default_machine(MachineKind::cpu));

// The method for one right-hand side on CPU threads, once the schedule is known.
Choice choose_method(const Workload& w, const Machine& machine = default_machine(MachineKind::cpu));

// The input of the choice on a GPU.
struct DeviceWorkload {
  RowFacts rows;            // bands_s included
  double near_entries = 0;  // see count_near_entries: indicates supernodes
  bool tree_fits = true;    // a thread block of method tree fits on the device
};
// Average over a sample of rows of the entries among the 16 columns before the diagonal.
double count_near_entries(const DependencyGraph& g);
// The method for a triangle by rows on a GPU.
Choice choose_on_device(const DeviceWorkload& w,
                        const Machine& machine = default_machine(MachineKind::gpu));
// The method on a GPU for a triangle with known supernodes, where one launch or barrier costs as
// much as thousands of entries.
Choice choose_supernodal_on_device(bool tree_fits = true);

// A triangle in panels, for the choice between panels and rows.
struct PanelWorkload {
  Index n = 0;
  Offset nonzeros = 0;   // the diagonal included
  Index supernodes = 0;  // after merging
  Offset entries = 0;    // in all panels, explicit zeros included
  Offset rows = 0;       // below the diagonal blocks, of all panels
  std::size_t value_bytes = 8;

  // Adds the other triangle of a factorization.
  PanelWorkload& operator+=(const PanelWorkload& other);
};

// True if a solve in panels should be faster than row by row, on one thread.
bool worth_panels(const PanelWorkload& w,
                  const Machine& machine = default_machine(MachineKind::cpu));

// The number of threads, at most `threads`, for a solve on supernodes whose tasks have this many
// levels: one if the solve ends before other threads wake, or gains too little from them.
Index choose_threads(Method method, const PanelWorkload& w, Index levels, Index threads,
                     const Machine& machine = default_machine(MachineKind::cpu));
// True if a solve takes long enough for several threads that timing it with them is worthwhile.
bool worth_timing_threads(Method method, const PanelWorkload& w,
                          const Machine& machine = default_machine(MachineKind::cpu));

// Estimated seconds of one solve on supernodes, on the default machine of the backend.
double estimate_solve(Method method, const PanelWorkload& w, Index levels, Index threads,
                      Backend backend);

// Estimated seconds to prepare a solve: on supernodes (`invert_flops` of the inversions), row by
// row.
double estimate_setup(const PanelWorkload& w, double invert_flops, Index threads, Backend backend);
double estimate_rows_setup(const PanelWorkload& w, Backend backend);

// Lower bounds of a solve row by row, for a choice before its schedule is made: the time to read
// the triangle with all threads, and, on a GPU, the longest path through it.
double least_rows_s(const PanelWorkload& w, Index path_columns, Index threads, Backend backend);

// True if panels are so small that the partitioned inverse as sparse matrices should be faster, and
// enough solves are expected to pay for its setup.
bool worth_sparse_inverse(const PanelWorkload& w, double expected_solves,
                          const Machine& machine = default_machine(MachineKind::cpu));

}  // namespace echelon
#pragma GCC visibility pop
