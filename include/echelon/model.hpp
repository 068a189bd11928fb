// echelon/model.hpp -- what a solve should cost, and which method to choose for it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after estimate.hpp, by whose numbers it chooses; advises solver.hpp.
#pragma once

#include <cstddef>
#include <string>

#include "echelon/analysis.hpp"
#include "echelon/estimate.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// What the choice is made from.
struct Workload {
  Index n = 0;
  Offset nonzeros = 0;  // without the diagonal
  Index levels = 0;
  Index threads = 1;
  double expected_solves = 1000;
  double superstep_speedup = 1;  // as the schedule's simulation gives it
};

struct Choice {
  Method method = Method::serial;
  std::string reason;  // one sentence for the report
};

// True if a superstep schedule is worth making at all: there are threads, enough work for
// them, some width, and enough solves to pay for the analysis.  `choice` gets the reason if not.
bool worth_a_schedule(const Workload& w, Choice& choice,
                      const Machine& machine = default_machine(MachineKind::cpu));

// The method for a single right-hand side on CPU threads, once the schedule is known.
Choice choose_method(const Workload& w, const Machine& machine = default_machine(MachineKind::cpu));

// What the choice on a GPU is made from.
struct DeviceWorkload {
  RowFacts rows;            // bands_s included
  double near_entries = 0;  // of a row, among the 16 before its diagonal: supernodes show there
  bool tree_fits = true;    // a block of method tree has room on the device
};
// Entries of a row among the 16 before its diagonal, in the mean over some rows.
double count_near_entries(const DependencyGraph& g);
// The method for a triangle by rows on a GPU.
Choice choose_on_device(const DeviceWorkload& w,
                        const Machine& machine = default_machine(MachineKind::gpu));
// The method on a GPU for a triangle that is known to have supernodes, where one launch or barrier
// costs what thousands of entries do.
Choice choose_supernodal_on_device(bool tree_fits = true);

// A triangle in panels, for the choice against rows.
struct PanelWorkload {
  Index n = 0;
  Offset nonzeros = 0;   // the diagonal included
  Index supernodes = 0;  // merged
  Offset entries = 0;    // of all panels, explicit zeros included
  Offset rows = 0;       // rows below of all panels
  std::size_t value_bytes = 8;

  // Both triangles of a factorization.
  PanelWorkload& operator+=(const PanelWorkload& other);
};

// True if a solve in panels should take less time than row by row, on one thread.
bool worth_panels(const PanelWorkload& w,
                  const Machine& machine = default_machine(MachineKind::cpu));

// How many of `threads` a solve on supernodes should use, where its tasks are in so many levels:
// one if it is over before others are awake, or gains too little by them.
Index choose_threads(Method method, const PanelWorkload& w, Index levels, Index threads,
                     const Machine& machine = default_machine(MachineKind::cpu));

// True if panels are so small that the partitioned inverse as sparse matrices should take less time
// than they do, and enough solves are expected to pay for making it.
bool worth_sparse_inverse(const PanelWorkload& w, double expected_solves,
                          const Machine& machine = default_machine(MachineKind::cpu));

}  // namespace echelon
#pragma GCC visibility pop
