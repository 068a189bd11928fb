// exec/nvshmem/sm_partition.hpp -- the multiprocessors of a GPU that are this process's alone.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include "echelon/types.hpp"

struct CUgreenCtx_st;

namespace echelon {

enum class StreamPriority { usual, urgent };

// What MPS gives its processes (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE) overlaps: four with a quarter of
// an H200 each have but 96 of 132 multiprocessors' room between them.  Streams of a green context
// run where it says.
class SmPartition {
 public:
  SmPartition() = default;  // all that the process may use
  // Part `place` of `parts` alike of the current device.  All of it where CUDA's driver cannot
  // divide it so, or where MPS has been told a percentage other than 100, which it would override.
  SmPartition(Index place, Index parts);

  Index multiprocessors() const;
  // Does not wait for the default stream.  Owned by who asked.
  cudaStream_t make_stream(StreamPriority priority) const;

 private:
  CUgreenCtx_st* context_ = nullptr;  // null: the device's own; else kept while the process lives
  Index multiprocessors_ = 0;
};

}  // namespace echelon
