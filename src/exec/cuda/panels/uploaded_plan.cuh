// exec/cuda/panels/uploaded_plan.cuh -- the arrays of a DevicePlan in device memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/panels/device_plan.hpp"
#include "exec/cuda/runtime/device_array.cuh"

namespace echelon {

class UploadedPlan {
 public:
  explicit UploadedPlan(const BlockPlan& plan)
      : n_(plan.n),
        reversed_(plan.reversed),
        pull_(plan.pull),
        panels_(make_panels(plan)),
        task_start_(plan.task_start),
        space_start_(plan.space_start),
        own_(plan.own),
        outside_start_(plan.outside_start),
        outside_(plan.outside),
        local_(plan.local),
        fetch_start_(plan.fetch_start),
        fetch_(plan.fetch),
        partial_start_(plan.partial_start),
        piece_start_(plan.by_rows.start) {}

  DevicePlan view() const {
    return {n_,
            reversed_,
            panels_.data(),
            task_start_.data(),
            space_start_.data(),
            own_.data(),
            outside_start_.data(),
            outside_.data(),
            local_.data(),
            fetch_start_.data(),
            fetch_.data(),
            partial_start_.data(),
            piece_start_.data()};
  }
  Offset bytes() const {
    return bytes_of(panels_, task_start_, space_start_, own_, outside_start_, outside_, local_,
                    fetch_start_, fetch_, partial_start_, piece_start_);
  }
  bool pulls(Op op) const { return pull_ != (op != Op::none); }

 private:
  Index n_;
  bool reversed_, pull_;
  DeviceArray<DevicePanel> panels_;
  DeviceArray<Index> task_start_;
  DeviceArray<Offset> space_start_;
  DeviceArray<Index> own_;
  DeviceArray<Offset> outside_start_;
  DeviceArray<Index> outside_, local_;
  DeviceArray<Offset> fetch_start_;
  DeviceArray<Index> fetch_;
  DeviceArray<Offset> partial_start_;
  DeviceArray<Index> piece_start_;
};

}  // namespace echelon
