// exec/cuda/runtime/device_offsets.cuh -- the device view of RisingOffsets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/analysis.hpp"

namespace echelon {

struct DeviceOffsets {
  const std::uint32_t* low;
  const Offset* base;
  __device__ Offset operator[](Index k) const { return base[k / RisingOffsets::block] + low[k]; }
};

}  // namespace echelon
