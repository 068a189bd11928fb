// exec/cuda/list_solve.cuh -- what the methods by rows and by columns have in common on the host: a
// triangle on the device, and right-hand sides some at a time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/device_flow.cuh.
#pragma once

#include <bit>

#include "exec/cuda/by_width.cuh"
#include "exec/cuda/device_lists.cuh"
#include "exec/cuda/flow_copies.cuh"
#include "exec/cuda/list_pass.cuh"
#include "exec/cuda/store_answers.cuh"

namespace echelon {

// The numbers of a pass, for so many right-hand sides, and what its blocks have in common.
template <Scalar T>
struct ListNumbers {
  Index width;
  DeviceArray<DeviceScalar<T>> z;
  DeviceArray<FlowState> state{1};

  // z is filled with this byte; a solve that gave up leaves nothing behind.
  void forget(int byte) const {
    check_cuda(cudaMemset(state.data(), 0, state.bytes()), "cudaMemset");
    if (z.size() > 0) check_cuda(cudaMemset(z.data(), byte, z.bytes()), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaMemset");
  }
  Offset bytes() const { return bytes_of(z, state); }
};

// Copies of z, and the byte they are filled with before the first solve.
struct ListMemory {
  std::size_t copies;
  int byte;
};

template <Scalar T>
class ListSolve : public CudaSolve<T> {
 public:
  using D = DeviceScalar<T>;
  using Numbers = ListNumbers<T>;

  void load(const Plan& plan, const PackedValues<T>& values) override {
    lists_.load(plan.pattern, values);
  }

  // Passes over the triangle, each for as many vectors as there is room for.
  void solve(const DeviceJob<T>& job) const override {
    for (Index column = 0; column < job.x.count;) {
      const Index left = job.x.count - column;
      const Numbers& numbers =
          numbers_.find(left, job.stream, [&](Index width) { return make_numbers(width); });
      ListPass<D> pass{};
      pass.lists = lists_.view();
      pass.vectors = vectors_of(job, false, column);
      pass.width_bits = std::min(bits_above(numbers.width), bits_above(left));
      pass.count = std::min(left, Index{1} << pass.width_bits);
      pass.z = numbers.z.data();
      run(pass, numbers, job);
      column += pass.count;
    }
  }

 protected:
  ListSolve(const Plan& plan, const Buffer<Index>& index, const ListMemory& memory)
      : most_bits_(bits_above(plan.together + 1) - 1),
        n_(plan.pattern.n),
        memory_(memory),
        numbers_(one_and(Index{1} << most_bits_)) {
    lists_.set_pattern(plan.pattern, index);
    numbers_.prepare(plan.cuda.right_sides, [&](Index width) { return make_numbers(width); });
  }
  virtual void run(const ListPass<D>& pass, const Numbers& numbers,
                   const DeviceJob<T>& job) const = 0;

  // Vectors of a pass are up to 2 to the power of this.
  Index most_bits() const { return most_bits_; }
  void forget_numbers() const {
    numbers_.for_each([&](const Numbers& numbers) { numbers.forget(memory_.byte); });
  }
  Offset bytes_of_lists() const { return bytes_of(lists_, numbers_); }

 private:
  // The logarithm of the least power of two that is not below.
  static Index bits_above(Index count) {
    return static_cast<Index>(std::bit_width(static_cast<unsigned>(count - 1)));
  }
  std::unique_ptr<Numbers> make_numbers(Index width) const {
    auto numbers = std::make_unique<Numbers>(
        Numbers{width, DeviceArray<D>(memory_.copies * static_cast<std::size_t>(n_) * width)});
    numbers->forget(memory_.byte);
    return numbers;
  }

  Index most_bits_, n_;
  ListMemory memory_;
  DeviceLists<T> lists_;
  ByWidth<Numbers> numbers_;
};

}  // namespace echelon
