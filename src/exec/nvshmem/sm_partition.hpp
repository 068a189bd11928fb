// exec/nvshmem/sm_partition.hpp -- the multiprocessors of a GPU that this process uses alone.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include "echelon/types.hpp"

struct CUgreenCtx_st;

namespace echelon {

enum class StreamPriority { usual, urgent };

// The shares that MPS gives processes (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE) overlap: four processes
// with a quarter of an H200 each use only 96 of its 132 multiprocessors.  Streams of a green
// context run on its multiprocessors only.
class SmPartition {
 public:
  SmPartition() = default;  // all multiprocessors available to the process
  // Part `place` of `parts` equal parts of the current device.  The whole device if the CUDA driver
  // cannot divide it, or if MPS has a percentage other than 100, which the part would override.
  SmPartition(Index place, Index parts);

  Index multiprocessors() const;
  // Does not synchronize with the default stream.  The caller owns the stream.
  cudaStream_t make_stream(StreamPriority priority) const;

 private:
  CUgreenCtx_st* context_ = nullptr;  // null: the device's own context; else never destroyed
  Index multiprocessors_ = 0;
};

}  // namespace echelon
