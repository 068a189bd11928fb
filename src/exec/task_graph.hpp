// exec/task_graph.hpp -- which tasks of a plan wait for which, in one direction.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/supernode.hpp"

namespace echelon {

struct TaskGraph {
  Buffer<Index> start, member;  // whom to tell
  Buffer<Index> needs;          // how many must tell
  Buffer<Index> ready;          // those who wait for nobody, in the order of the sweep

  Index tasks() const { return static_cast<Index>(needs.size()); }
};

TaskGraph make_task_graph(const BlockPlan& plan, bool pull);

}  // namespace echelon
