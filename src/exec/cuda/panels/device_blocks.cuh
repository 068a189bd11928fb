// exec/cuda/panels/device_blocks.cuh -- the panels of a plan and the work vectors of one right-hand
// side on the device: the operands of a DevicePass.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/panels/device_pass.cuh"
#include "exec/cuda/panels/uploaded_plan.cuh"
#include "exec/cuda/runtime/store_answers.cuh"

namespace echelon {

template <Scalar T>
class DeviceBlocks {
 public:
  using D = DeviceScalar<T>;

  DeviceBlocks(const BlockPlan& plan, const DeviceValues<T>& panels)
      : plan_(plan),
        panels_(panels),
        space_(static_cast<std::size_t>(plan.space())),
        answer_(static_cast<std::size_t>(plan.n)),
        partial_(static_cast<std::size_t>(plan.partial_start.back())) {}

  Offset bytes() const { return bytes_of(plan_, space_, answer_, partial_); }
  bool pulls(Op op) const { return plan_.pulls(op); }

  // For each vector of the job: calls launches(pass), then stores the answers in x.
  template <class Launches>
  void solve(const DeviceJob<T>& job, const Launches& launches) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const DevicePlan plan = plan_.view();
    for (Index column = 0; column < job.x.count; ++column) {
      const DeviceVectors<D> vectors = vectors_of(job, plan.reversed, column);
      panels_.with_values([&]<class S>(const S* value) {
        launches(DevicePass<D, S>{plan, panels_.form.data(), value, vectors.alpha,
                                  vectors.conjugate, vectors.b, vectors.b_step, space_.data(),
                                  answer_.data(), partial_.data()});
      });
      store_answers(vectors, 1, {answer_.data(), nullptr, 1, 0}, stream);
    }
  }

 private:
  UploadedPlan plan_;
  const DeviceValues<T>& panels_;
  DeviceArray<D> space_, answer_, partial_;
};

}  // namespace echelon
