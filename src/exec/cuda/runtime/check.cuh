// exec/cuda/runtime/check.cuh -- turns CUDA error codes into Error exceptions.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "echelon/error.hpp"

namespace echelon {

inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears the error, unless it is sticky
  throw Error(ErrorCode::backend_failed, std::string(what) + ": " + cudaGetErrorString(status));
}

// Number of usable devices: 0 without a driver.
inline int cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

}  // namespace echelon
