// exec/cuda/list_solve.cuh -- what the methods by rows and by columns have in common on the host: a
// triangle on the device, and right-hand sides some at a time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/device_flow.cuh.
#pragma once

#include <bit>

#include "exec/cuda/device_lists.cuh"
#include "exec/cuda/list_pass.cuh"
#include "exec/cuda/store_answers.cuh"

namespace echelon {

template <Scalar T>
class ListSolve : public CudaSolve<T> {
 public:
  using D = DeviceScalar<T>;

  explicit ListSolve(const Plan& plan)
      : ListSolve(plan, index_by_position(plan.pattern, plan.threads)) {}

  void load(const Plan& plan, const PackedValues<T>& values) override {
    lists_.load(plan.pattern, values);
  }

  // Passes over the triangle, each for as many vectors as there is room for.
  void solve(const DeviceJob<T>& job) const override {
    for (Index column = 0; column < job.x.count;) {
      const Index left = job.x.count - column;
      ListPass<D> pass{};
      pass.lists = lists_.view();
      pass.vectors = vectors_of(job, false, column);
      pass.width_bits = std::min(most_bits_, bits_above(left));
      pass.count = std::min(left, Index{1} << pass.width_bits);
      run(pass, job);
      column += pass.count;
    }
  }

 protected:
  ListSolve(const Plan& plan, const Buffer<Index>& index)
      : most_bits_(bits_above(plan.together + 1) - 1) {
    lists_.set_pattern(plan.pattern, index);
  }
  // The pass has everything but z.
  virtual void run(ListPass<D> pass, const DeviceJob<T>& job) const = 0;

  // Vectors of a pass are up to 2 to the power of this.
  Index most_bits() const { return most_bits_; }
  // Numbers that those have.
  static std::size_t numbers_of(const Plan& plan) {
    return static_cast<std::size_t>(plan.pattern.n) << (bits_above(plan.together + 1) - 1);
  }

 private:
  // The logarithm of the least power of two that is not below.
  static Index bits_above(Index count) {
    return static_cast<Index>(std::bit_width(static_cast<unsigned>(count - 1)));
  }

  Index most_bits_;
  DeviceLists<T> lists_;
};

}  // namespace echelon
