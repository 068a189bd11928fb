// exec/cuda/rows/list_solve.cuh -- host code shared by the methods by rows and by columns: a
// triangle on the device, and solves split into passes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/runtime/device_flow.cuh.
#pragma once

#include <bit>

#include "exec/cuda/rows/device_lists.cuh"
#include "exec/cuda/rows/list_pass.cuh"
#include "exec/cuda/runtime/by_width.cuh"
#include "exec/cuda/runtime/flow_copies.cuh"
#include "exec/cuda/runtime/store_answers.cuh"

namespace echelon {

// The work memory of a pass for `width` right-hand sides, and the words that its blocks share.
template <Scalar T>
struct ListNumbers {
  Index width;
  DeviceArray<DeviceScalar<T>> z;
  DeviceArray<GridWords> words{1};

  // Fills z with `byte` and clears the words, at first and after a timeout.
  void forget(int byte) const {
    check_cuda(cudaMemset(words.data(), 0, words.bytes()), "cudaMemset");
    if (z.size() > 0) check_cuda(cudaMemset(z.data(), byte, z.bytes()), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaMemset");
  }
  Offset bytes() const { return bytes_of(z, words); }
};

// The number of copies of z, and the byte that fills them before the first solve.
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

  // Each pass over the triangle solves for as many vectors as `numbers` has memory for.
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
      : most_bits_(bits_above(plan.rhs_per_pass + 1) - 1),
        n_(plan.pattern.n),
        memory_(memory),
        numbers_(one_and(Index{1} << most_bits_)) {
    lists_.set_pattern(plan.pattern, index);
    numbers_.prepare(plan.cuda.right_sides, [&](Index width) { return make_numbers(width); });
  }
  virtual void run(const ListPass<D>& pass, const Numbers& numbers,
                   const DeviceJob<T>& job) const = 0;

  // A pass has at most 2 to this power vectors.
  Index most_bits() const { return most_bits_; }
  void forget_numbers() const {
    numbers_.for_each([&](const Numbers& numbers) { numbers.forget(memory_.byte); });
  }
  Offset bytes_of_lists() const { return bytes_of(lists_, numbers_); }

 private:
  // The logarithm of the smallest power of two >= count.
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
