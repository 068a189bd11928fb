// exec/cuda/tiles/tile_program.hpp -- the static schedule of method tree: tiles of panels assigned
// to the blocks of a resident grid, and the slots for numbers between tasks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every block runs its own list of tiles in order and streams their values, cut into chunks, ahead
// of its computation.  Tiles exchange numbers by slots whose content itself shows whether the
// number is there.  So no tile waits for a counter or a level.  All lists follow one order of
// tasks, so the first unfinished tile of all can always proceed.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "echelon/supernode.hpp"

namespace echelon {

struct TileShape {
  static constexpr int warps = 8;       // per block
  static constexpr Index stage = 4096;  // bytes per chunk at most
  // Stages of the ring, for a pass of `right_sides` right-hand sides.  Each stage always serves the
  // same warp.
  static constexpr Index stages(int right_sides) { return right_sides > 4 ? 8 : 16; }
  static constexpr Index heads = 32;        // chunk headers per warp in shared memory
  static constexpr Index most_strips = 16;  // per chunk
  static constexpr Index most_parts = 8;    // per tile
};

// The work of one warp at a time: some columns of a strip, or several whole strips of a narrow
// panel.
struct alignas(16) TileChunk {
  std::uint32_t source;  // first value, in groups of rows
  Index strip, from;
  std::uint8_t columns, count;
  std::uint8_t groups;  // of rows, over all columns
  bool full;  // one strip of 32 rows with the most columns per chunk, none on the diagonal
};

// The work of a block at a time.  Push: columns [low, high) of strips [begin, end).  Pull: strips
// [low, high) of columns [begin, end), which are a few groups of as many columns as fit into a
// chunk.  The sums are complete after the item with `last`.  A tile that is too large for one block
// is split into parts, and the last part adds up the sums of all parts.
struct alignas(16) TileItem {
  Index panel;  // number in order of execution
  Index w, h, first;
  Index begin, end, low, high;
  Index chunk_end;  // end of its chunks in the block's list
  Index at;         // first of the panel's unknowns in its task's vector
  Index task, own, outside;
  Index part, parts;
  Index sums;   // slots for the sums of all parts but the last, in the flow
  Index pairs;  // push: pairs of slots per entry of the task's vector
  Index more;   // start of its lists of further slots; -1: none
  Offset slots, space, local, outside_start;
  bool pull = false;
  bool last = true;
  bool single = true;   // the task is this panel only
  bool enters = false;  // first item of a gathered subtree: sets up its vector
  bool leaves = false;  // last item of a gathered subtree: publishes its vector
  bool sends = false;   // publishes numbers [low, high) of the task to other PEs
};

// Limits on the size of a tile.
struct TileLimits {
  Index blocks = 1;
  Index value_bytes = 8;  // bytes per stored value
  Index vector = 1024;    // unknowns that fit into a block's shared memory
  Index slots = 16;       // sums of 32 rows or columns that fit
  Index strips = 8;       // per tile that pushes
};

// Push: the slots for numbers from other tasks.  A task sends the number of each row outside to its
// nearest ancestor of a later level that has the row too.  The ancestor adds up all numbers that it
// receives, so that the last panels do not have to fetch from all tasks below them.  Each entry of
// a task's vector has slots for incoming numbers, in pairs.  Slots without a producer stay zero.
struct TileSlots {
  // Pairs per entry at most, with one GPU or several (`shared`); further slots are in lists.
  static constexpr Index most_pairs(bool shared) { return shared ? 4 : 2; }
  Buffer<Offset> start;   // by task: slot 2 (pair * entries + entry) + 0 or 1 from here
  Buffer<Index> pairs;    // by task
  Buffer<Index> more_at;  // by task: start of its lists in `more`; -1: none
  Buffer<Index> more;     // per entry, and one more: where its list begins; then the slots
  Buffer<Index> to;       // by place in the vectors of all tasks; -1: no target
  Buffer<Index> unused;
  Offset size = 0;
};
TileSlots make_tile_slots(const BlockPlan& plan);

// The same in two steps, so that a plan for several GPUs can add arrivals from other PEs.  An
// arrival is one number sent to an entry.  Both members index the vectors of all tasks; a `from`
// past their end is a number from another PE, whose slot is in `to` as well.  Rows at position -1
// are padding.
struct TileArrival {
  Index place, from;
  auto operator<=>(const TileArrival&) const = default;
};
using TileArrivals = std::vector<std::vector<TileArrival>>;  // by task, ascending
// `parent`: a tree of tasks.  All tasks that a task sends to are its ancestors, and every task
// comes before its parent.
TileArrivals find_arrivals(const BlockPlan& plan, const Buffer<Index>& parent);
// Throws out_of_memory if more than most_slots slots are needed.
constexpr Offset most_tile_slots = std::numeric_limits<Index>::max();
TileSlots lay_slots(const BlockPlan& plan, const TileArrivals& arrivals, Index most_pairs,
                    Index elsewhere = 0, Offset most_slots = most_tile_slots);

// The work list of one block.
struct alignas(16) TileList {
  Index first_item, items, first_chunk, chunks;
};

// What one launch does: a forward sweep pushes, a backward one pulls.
struct TileProgram {
  Buffer<TileList> lists;  // by block
  Buffer<TileItem> items;  // by block, in its order
  Buffer<TileChunk> chunks;
  Index sums = 0;  // slots for the sums of parts of tiles

  Offset bytes() const { return bytes_of(lists, items, chunks); }
};
TileProgram make_tile_program(const BlockPlan& plan, const TileSlots& slots, Sweep course,
                              const TileLimits& limits);

// Tasks that do not depend on each other; with in_order they may, and they keep their order.
struct TileStep {
  Buffer<Index> tasks;
  bool pull = false;
  bool sends_only = false;  // nothing to multiply
  bool in_order = false;
};
using TileLevel = std::vector<TileStep>;  // one step after the other; together they fill the grid
// Level by level.  By task, or empty: the first `skipped` strips of its panel are on another PE;
// `sent`: its numbers go to other PEs, when pushing from the first tile that has them all.
TileProgram make_tile_program(const BlockPlan& plan, const TileSlots& slots,
                              std::span<const TileLevel> levels, std::span<const Index> skipped,
                              std::span<const char> sent, const TileLimits& limits);

// Where numbers lie in the flow of a launch: slots, answers of both directions, sums of parts.
struct FlowPlaces {
  Offset pushed, answers, sums, size;
  FlowPlaces(const TileSlots& slots, Index n, Sweep course, Index sums_of_parts)
      : pushed(course == Sweep::backward ? 0 : slots.size),
        answers(pushed + (course == Sweep::backward ? 0 : n)),
        sums(answers + (course == Sweep::forward ? 0 : n)),
        size((sums + sums_of_parts + 1) / 2 * 2) {}  // keeps pairs of the second copy aligned
};

}  // namespace echelon
