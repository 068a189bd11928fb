// tests/exec/emulated_plan.hpp -- the device arrays of a plan, in host memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Include it after emulated_block.hpp.
#pragma once

#include <bit>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "exec/cuda/panels/device_pass.cuh"

namespace echelon {

// A plan with its values and its device arrays.
template <class T>
struct Ready {
  Ready(const Triangle<T>& t, const Options& o) : analysis(t, o) {
    const Plan& plan = analysis.plan();
    values = test::pack_triangle(plan, t, o.numeric);
    const BlockPlan& b = plan.blocks;
    panels = make_panels(b);
    device = {b.n,
              b.reversed,
              panels.data(),
              b.task_start.data(),
              b.space_start.data(),
              b.own.data(),
              b.outside_start.data(),
              b.outside.data(),
              b.local.data(),
              b.fetch_start.data(),
              b.fetch.data(),
              b.partial_start.data(),
              b.by_rows.start.data()};
  }

  Analysis analysis;
  BlockValues<T> values;
  Buffer<DevicePanel> panels;
  DevicePlan device;
};

template <class To, class From>
std::vector<To> cast(const std::vector<From>& from) {
  std::vector<To> to;
  for (const From& v : from) to.push_back(std::bit_cast<To>(v));
  return to;
}

}  // namespace echelon
