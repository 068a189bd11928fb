// exec/cuda/tiles/wide_program.hpp -- the schedule of method tree for blocks of right-hand sides:
// items of work in an order in which no item waits for a later one.
// SPDX-License-Identifier: BSD-3-Clause
//
// A wide pass treats groups of up to 32 right-hand sides alike: ticket k is item k / groups for
// group k % groups.  So the groups of an item run side by side, and share its values in the cache.
#pragma once

#include "exec/cuda/tiles/tile_program.hpp"

namespace echelon {

struct WideShape {
  static constexpr int warps = 8;           // per block
  static constexpr Index group = 32;        // right-hand sides per item at most
  static constexpr Index tile = 32;         // rows or columns of a panel per warp
  static constexpr Index most_rows = 2048;  // of the panel that an item that pulls reads

  // Warps that share one tile of an item with `tiles` tiles, at most 8.
  static constexpr Index share(Index tiles) {
    return tiles > 4 ? 1 : tiles > 2 ? 2 : tiles > 1 ? 4 : 8;
  }
};
static_assert(WideShape::tile == PanelShape::strip);

enum class WideKind : Index {
  collect,  // adds what other tasks sent to right-hand sides [32 begin, 32 end) of a task
  push,     // columns [32 low, 32 high) of strips [begin, end) times right-hand sides
  pull,     // strips [low, high) of columns [32 begin, 32 end), transposed, times answers
};

// A task is one panel, so both have the same number.
struct alignas(16) WideItem {
  Offset value;    // first of the panel's values
  Offset space;    // first place of the task's vector
  Offset outside;  // pull: positions of its rows outside
  Index receives;  // push: how many tasks at most send numbers to a place of the task
  Index more;      // push: start of its lists of further sources; -1: none
  WideKind kind;
  Index w, h, first;
  Index begin, end, low, high;
  Index part, parts, place;  // of the sum; first tile of all parts in the scratch memory
  Index counter;             // of parts that are done
  Index wait, needed;        // begins when counter `wait` has this value; -1: at once
  Index signal, signals;     // counters to increment at the end: in the program's list
};

struct WideProgram {
  Buffer<WideItem> items;
  Buffer<Index> signals;
  Index counters = 0;  // per group: one per task, then one per split item
  Index tiles = 0;     // in the scratch memory: 32 rows each

  Offset bytes() const { return bytes_of(items, signals); }
};

// For `blocks` resident blocks and `groups` groups.  Every task must be a single panel.
WideProgram make_wide_program(const BlockPlan& plan, const TileSlots& slots, bool pull,
                              Index blocks, Index groups);

// Pushing, every task leaves its numbers in its own vector, where the tasks that they are sent to
// fetch them.
struct WideSources {
  static constexpr Index most = 2 * TileSlots::most_pairs(false);  // per place; more are in lists
  Buffer<Index> from;  // by place: places to fetch from; none: the row of zeros after all places
  Buffer<Index> more;  // as TileSlots::more, with places
};
WideSources make_wide_sources(const BlockPlan& plan, const TileSlots& slots);

// Whether every task is one panel in strips.
bool has_single_tasks(const BlockPlan& plan);

}  // namespace echelon
