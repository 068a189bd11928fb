// exec/cuda/panels/device_plan.hpp -- the arrays of a BlockPlan that a solve on a GPU reads.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/supernode.hpp"

namespace echelon {

// A panel; panels are numbered in order of execution.
struct DevicePanel {
  Index w, h, first;
  Index own;     // first of its unknowns in the task's vector
  Offset value;  // first of its values
  Offset local;  // first of its rows in `local`; -1: the rows below are stored consecutively
};

struct DevicePlan {
  Index n = 0;
  bool reversed = false;
  const DevicePanel* panel = nullptr;
  const Index* task_start = nullptr;
  const Offset* space_start = nullptr;
  const Index* own = nullptr;
  const Offset* outside_start = nullptr;
  const Index* outside = nullptr;
  const Index* local = nullptr;
  const Offset* fetch_start = nullptr;
  const Index* fetch = nullptr;
  const Offset* partial_start = nullptr;
  const Index* piece_start = nullptr;  // of tasks whose panel several blocks share
};

inline Buffer<DevicePanel> make_panels(const BlockPlan& plan) {
  Buffer<DevicePanel> panels(plan.order.size());
  for (Index t = 0; t < plan.tasks(); ++t) {
    const bool single = plan.task_start[t + 1] - plan.task_start[t] == 1;
    Index own = 0;
    for (Index k = plan.task_start[t]; k < plan.task_start[t + 1]; ++k) {
      const Index s = plan.order[k];
      panels[k] = {plan.supernodes.width(s), plan.supernodes.height(s),
                   plan.supernodes.first[s], own,
                   plan.value_start[k],      single ? -1 : plan.local_start[k]};
      own += plan.supernodes.width(s);
    }
  }
  return panels;
}

}  // namespace echelon
