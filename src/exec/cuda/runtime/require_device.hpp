// exec/cuda/runtime/require_device.hpp -- throws backend_missing when there is no CUDA device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/runtime/check.cuh"

namespace echelon {

inline void require_device() {
  if (cuda_devices() == 0)
    throw Error(ErrorCode::backend_missing, "there is no CUDA device, or no driver for it");
}

}  // namespace echelon
