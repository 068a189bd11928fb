// exec/nvshmem/share_course.cuh -- what a PE of design persistent has on its GPU for one way
// through a triangle, and for one number of right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/device_flow.cuh.
#pragma once

#include <optional>
#include <vector>

#include "exec/cuda/device_array.cuh"
#include "exec/cuda/tile_pass.cuh"
#include "exec/nvshmem/pe.hpp"
#include "exec/share_plan.hpp"

namespace echelon {

// What other PEs are to a pass, one way.
struct DeviceWay {
  explicit DeviceWay(const SharePlan::Way& way)
      : tell(way.tell),
        list(way.list),
        inbox(way.inbox),
        receivers(way.receivers),
        senders(way.senders) {}
  DeviceArray<Tell> tell;
  DeviceArray<Index> list, inbox, receivers, senders;
};

constexpr Index copies_of_a_flow = 3;

// For so many right-hand sides at once, one way.
template <class T>
struct ShareCourse {
  using Word = Real<T>;
  Index width = 0;
  bool is_open = false;  // made for the values there are
  TileRoom room;
  Index blocks = 0;
  std::optional<ShareFlow> places;
  DeviceArray<TileList> lists;
  DeviceArray<ShareItem> items;
  DeviceArray<TileChunk> chunks;
  DeviceArray<TileState> state;
  SymmetricMemory flow;
  Offset flow_size = 0;                  // words of a copy, alike on all PEs
  DeviceArray<Word*> flows;              // by PE
  std::vector<unsigned long long> uses;  // the passes that used it last, two at most
  unsigned long long used = 0;
};

}  // namespace echelon
