// exec/cuda/cuda_blocks.hpp -- a supernodal plan and its values on a GPU: one launch a phase.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "echelon/executor.hpp"

namespace echelon {

// What a solve on the device is asked for.  Pointers are the device's.
template <Scalar T>
struct DeviceJob {
  Op op = Op::none;
  T alpha = T(1);
  Vectors<const T> b;  // same n, count and layout as x; may be the same memory, entry for entry
  Vectors<T> x;
  void* stream = nullptr;  // a cudaStream_t
};

template <Scalar T>
class CudaBlocks {
 public:
  // Uploads all of it to the current device.  Throws backend_missing without one, out_of_memory.
  CudaBlocks(const BlockPlan& plan, const BlockValues<T>& values);
  ~CudaBlocks();
  CudaBlocks(const CudaBlocks&) = delete;
  CudaBlocks& operator=(const CudaBlocks&) = delete;

  // Other values of the same plan.
  void load(const BlockValues<T>& values);

  // Puts the launches into the stream and returns; allocates nothing, so it can be captured in a
  // graph.  One solve at a time: its vectors are the object's.
  void solve(const DeviceJob<T>& job) const;

  // Whether all answers since the last call were finite.  Waits for the device.
  bool all_finite() const;

  Index launches(Op op) const;  // of one right-hand side

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon
