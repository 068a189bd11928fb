// exec/task_graph.cpp -- builds the task graph of a plan, or its transpose for pulling.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/task_graph.hpp"

namespace echelon {

TaskGraph make_task_graph(const BlockPlan& plan, bool pull) {
  const Index tasks = plan.tasks();
  TaskGraph g{plan.need_start, plan.need, Buffer<Index>(tasks, 0), {}};
  for (const Index t : plan.need) ++g.needs[t];
  if (pull) {
    g.start.assign(1, 0);
    for (const Index received : g.needs) g.start.push_back(g.start.back() + received);
    Buffer<Index> next(g.start.begin(), g.start.end() - 1);
    for (Index t = 0; t < tasks; ++t) {
      g.needs[t] = plan.need_start[t + 1] - plan.need_start[t];
      for (Index p = plan.need_start[t]; p < plan.need_start[t + 1]; ++p)
        g.member[next[plan.need[p]]++] = t;
    }
  }
  for (Index k = 0; k < tasks; ++k)
    if (const Index t = pull ? tasks - 1 - k : k; g.needs[t] == 0) g.ready.push_back(t);
  return g;
}

}  // namespace echelon
