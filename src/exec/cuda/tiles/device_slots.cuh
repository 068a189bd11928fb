// exec/cuda/tiles/device_slots.cuh -- the slots of method tree in device memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/tiles/tile_program.hpp"

namespace echelon {

// The arrays that programs are made from stay on the host.
struct DeviceSlots {
  explicit DeviceSlots(TileSlots&& s)
      : to(s.to), more(s.more), unused(s.unused), host(std::move(s)) {
    host.unused = {};
  }
  Offset bytes() const { return bytes_of(to, more, unused); }
  DeviceArray<Index> to, more, unused;
  TileSlots host;
};

}  // namespace echelon
