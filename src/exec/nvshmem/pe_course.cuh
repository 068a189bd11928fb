// exec/nvshmem/pe_course.cuh -- the GPU memory of a PE in design persistent, for one direction and
// one number of right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/runtime/device_flow.cuh.
#pragma once

#include <optional>
#include <vector>

#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/tiles/pe_plan.hpp"
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/nvshmem/pe.hpp"

namespace echelon {

// The other PEs' part of a pass, for one direction.
struct DeviceWay {
  explicit DeviceWay(const PePlan::Way& way)
      : target(way.target),
        list(way.list),
        inbox(way.inbox),
        receivers(way.receivers),
        senders(way.senders) {}
  DeviceArray<RemoteTarget> target;
  DeviceArray<Index> list, inbox, receivers, senders;
};

constexpr Index copies_of_a_flow = 3;

// For `width` right-hand sides per pass, in one direction.
template <class T>
struct PeCourse {
  using Word = Real<T>;
  Index width = 0;
  bool is_open = false;  // made for the current values
  TileSharedMemory room;
  Index blocks = 0;
  std::optional<PeFlow> places;
  DeviceArray<TileList> lists;
  DeviceArray<PeItem> items;
  DeviceArray<TileChunk> chunks;
  DeviceArray<TileState> state;
  SymmetricMemory flow;
  Offset flow_size = 0;                  // words per copy, the same on all PEs
  DeviceArray<Word*> flows;              // by PE
  std::vector<unsigned long long> uses;  // the last passes that used it, at most two
  unsigned long long used = 0;
};

}  // namespace echelon
