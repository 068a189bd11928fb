// exec/task_graph.hpp -- the dependencies between the tasks of a plan, for one direction.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/supernode.hpp"

namespace echelon {

struct TaskGraph {
  Buffer<Index> start, member;  // successors of each task
  Buffer<Index> needs;          // number of predecessors of each task
  Buffer<Index> ready;          // tasks without predecessors, in the order of the sweep

  Index tasks() const { return static_cast<Index>(needs.size()); }
  Offset bytes() const { return bytes_of(start, member, needs, ready); }
};

TaskGraph make_task_graph(const BlockPlan& plan, bool pull);

}  // namespace echelon
