// exec/cuda/runtime/resident_blocks.cuh -- number of resident blocks of a kernel on the current
// device, and its shared memory limit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/types.hpp"
#include "exec/cuda/runtime/check.cuh"

namespace echelon {

inline int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

// Raises the kernel's limit of dynamic shared memory to the device's maximum.  The limit belongs to
// the kernel, and solves of different sizes share the kernel.
inline void allow_shared_memory(const void* kernel) {
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
             "cudaFuncSetAttribute");
}

// Throws bad_argument if a method's blocks need more shared memory than they may use.
inline void require_shared_memory(const char* method, Offset needed, Offset there) {
  if (needed <= there) return;
  throw Error(ErrorCode::bad_argument, std::string("method ") + method + " needs " +
                                           std::to_string(needed) +
                                           " bytes of shared memory for a thread block, which may "
                                           "use " +
                                           std::to_string(there) + " here");
}

// At most `wanted` blocks; 0: as many as fit.  `shared`: dynamic shared memory in bytes.
// `multiprocessors`: number of multiprocessors to use; 0: all of the device.
inline Index resident_blocks(const void* kernel, Index threads, std::size_t shared, Index wanted,
                             Index multiprocessors = 0) {
  int fit = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, threads, shared),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  if (fit == 0)
    throw Error(ErrorCode::backend_failed, "no thread block of this solve fits on the device");
  fit *= multiprocessors > 0 ? multiprocessors : device_attribute(cudaDevAttrMultiProcessorCount);
  return wanted == 0 ? fit : std::min(wanted, fit);
}

}  // namespace echelon
