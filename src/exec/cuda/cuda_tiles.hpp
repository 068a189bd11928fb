// exec/cuda/cuda_tiles.hpp -- a supernodal plan and its values on a GPU, solved with by one
// resident grid: one launch a solve. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "exec/cuda/cuda_solve.hpp"

namespace echelon {

template <Scalar T>
class CudaTiles {
 public:
  // Uploads all of it to the current device.  `blocks` and `patience_s`: 0 for as many as fit, and
  // for ever.  Throws backend_missing, out_of_memory, bad_argument for panels in another form.
  CudaTiles(const BlockPlan& plan, const BlockValues<T>& values, Index blocks = 0,
            double patience_s = 2);
  ~CudaTiles();
  CudaTiles(const CudaTiles&) = delete;
  CudaTiles& operator=(const CudaTiles&) = delete;

  // Other values of the same plan.
  void load(const BlockValues<T>& values);

  // Puts the launch into the stream and returns; allocates nothing, so it can be captured in a
  // graph.  One solve at a time: its vectors are the object's.
  void solve(const DeviceJob<T>& job) const;

  // Whether all answers since the last call were finite.  Waits for the device.
  bool all_finite() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon
