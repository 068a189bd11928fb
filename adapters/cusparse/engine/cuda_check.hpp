// adapters/cusparse/engine/cuda_check.hpp -- a failed call of CUDA's runtime as an exception.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "echelon/error.hpp"

namespace echelon::dropin {

inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // the program must not see it again
  const ErrorCode code =
      status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::backend_failed;
  throw Error(code, std::string(what) + ": " + cudaGetErrorString(status));
}

// Device memory in stream order.
class StreamMemory {
 public:
  StreamMemory(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaMallocAsync(&data_, bytes, stream), "cudaMallocAsync");
  }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;
  ~StreamMemory() { static_cast<void>(cudaFreeAsync(data_, stream_)); }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace echelon::dropin
