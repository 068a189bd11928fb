// exec/cuda/device_blocks.cuh -- a plan's panels in strips on the device, and the vectors of one
// right-hand side: all that a DevicePass works on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/device_pass.cuh"
#include "exec/cuda/store_answers.cuh"
#include "exec/cuda/uploaded_plan.cuh"

namespace echelon {

template <Scalar T>
class DeviceBlocks {
 public:
  using D = DeviceScalar<T>;

  explicit DeviceBlocks(const BlockPlan& plan)
      : plan_(plan),
        form_(plan.order.size()),
        space_(static_cast<std::size_t>(plan.space())),
        answer_(static_cast<std::size_t>(plan.n)),
        partial_(static_cast<std::size_t>(plan.partial_start.back())) {}

  void load(const BlockValues<T>& values) {
    value_.assign(values.value);
    low_.assign(values.low);
    form_.load(values.form);
    all_inverse_ = values.all_inverse;
  }
  bool all_inverse() const { return all_inverse_; }
  bool pulls(Op op) const { return plan_.pulls(op); }

  // Calls visit(values as they are stored): a pointer to float or double.
  template <class Visit>
  void with_values(const Visit& visit) const {
    if (low_.size() > 0)
      visit(reinterpret_cast<const Real<Low<T>>*>(low_.data()));
    else
      visit(reinterpret_cast<const Real<T>*>(value_.data()));
  }

  // For each vector of the job: launches(pass), then the answers to x.
  template <class Launches>
  void solve(const DeviceJob<T>& job, const Launches& launches) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const DevicePlan plan = plan_.view();
    for (Index column = 0; column < job.x.count; ++column) {
      const DeviceVectors<D> vectors = vectors_of(job, plan.reversed, column);
      with_values([&]<class S>(const S* value) {
        launches(DevicePass<D, S>{plan, form_.data(), value, vectors.alpha, vectors.conjugate,
                                  vectors.b, vectors.b_step, space_.data(), answer_.data(),
                                  partial_.data()});
      });
      store_answers(vectors, 1, {answer_.data(), nullptr, 1, 0}, stream);
    }
  }

 private:
  UploadedPlan plan_;
  DeviceArray<T> value_;
  DeviceArray<Low<T>> low_;
  DeviceArray<BlockForm> form_;
  DeviceArray<D> space_, answer_, partial_;
  bool all_inverse_ = false;
};

}  // namespace echelon
