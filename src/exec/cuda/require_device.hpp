// exec/cuda/require_device.hpp -- there is a device, or a clear word that there is none.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/check.cuh"

namespace echelon {

inline void require_device() {
  if (cuda_devices() == 0)
    throw Error(ErrorCode::backend_missing, "there is no CUDA device, or no driver for it");
}

}  // namespace echelon
