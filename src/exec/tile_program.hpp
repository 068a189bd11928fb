// exec/tile_program.hpp -- a solve with panels as one resident grid of thread blocks runs it: tiles
// of panels dealt out to the blocks beforehand, and who hands which numbers to whom.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every block runs its own list of tiles in order and streams their values, cut into chunks, ahead
// of itself.  What tiles say to each other are numbers that tell by themselves whether they are
// there; so there are no counters and no levels to wait for, and since all lists follow one order
// of tasks, the first tile of all that is not done can always go on.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "echelon/supernode.hpp"

namespace echelon {

struct TileShape {
  static constexpr int warps = 8;       // of a block
  static constexpr Index stage = 4096;  // bytes of a chunk at most
  // Of the ring, for passes of so many right-hand sides; each serves the same warp always.
  static constexpr Index stages(int right_sides) { return right_sides > 4 ? 8 : 16; }
  static constexpr Index heads = 32;        // of chunks, a warp has at hand
  static constexpr Index most_strips = 16;  // of a chunk
  static constexpr Index most_parts = 8;    // of a tile
};

// What one warp multiplies: some columns of a strip, or several whole strips of a narrow panel.
struct alignas(16) TileChunk {
  std::uint32_t source;  // first value, in groups of rows
  Index strip, from;
  std::uint8_t columns, count;
  std::uint8_t groups;  // of rows, in all columns
  bool full;  // one strip of 32 rows, as many columns as go into a chunk, none on the diagonal
};

// What a block does at a time.  Pushing: columns [low, high) of strips [begin, end).  Pulling:
// strips [low, high) of columns [begin, end), a few groups of as many as go into a chunk.  Sums are
// complete with the item that is `last`; a tile that is too large for one block comes in parts, and
// the last part adds up their sums.
struct alignas(16) TileItem {
  Index panel;  // by order of execution
  Index w, h, first;
  Index begin, end, low, high;
  Index chunk_end;  // its chunks end here in the block's list
  Index at;         // the panel's unknowns in its task's vector
  Index task, own, outside;
  Index part, parts;
  Index sums;   // of parts before the last, in the flow
  Index pairs;  // pushing: of slots for each entry of the task's vector
  Index more;   // where its lists of further slots are; -1: it has none
  Offset slots, space, local, outside_start;
  bool pull = false;
  bool last = true;
  bool single = true;   // the task has this panel alone
  bool enters = false;  // a gathered subtree: its vector is to be made ready
  bool leaves = false;  // and to be handed on
  bool tells = false;   // numbers [low, high) of the task are told to other PEs
};

// How large tiles may be.
struct TileLimits {
  Index blocks = 1;
  Index value_bytes = 8;  // of one stored value
  Index vector = 1024;    // unknowns a block has room for
  Index slots = 16;       // and sums of 32 rows or columns
  Index strips = 8;       // of a tile that pushes
};

// Pushing: where numbers for other tasks go.  A task hands every number on to its nearest ancestor
// of a later level that has that row too, where it is added up with the others', so that the last
// panels do not have to fetch from everybody.  Each entry of a task's vector has slots for what
// comes in, two by two; those nobody fills hold zero.
struct TileSlots {
  // Of an entry, on one GPU or on several; what is more is in lists.
  static constexpr Index most_pairs(bool shared) { return shared ? 4 : 2; }
  Buffer<Offset> start;   // by task: slot 2 (pair * entries + entry) + 0 or 1 from here
  Buffer<Index> pairs;    // by task
  Buffer<Index> more_at;  // by task: its lists in `more`; -1: it has none
  Buffer<Index> more;     // for each entry, and one more, where its list begins; then slots
  Buffer<Index> to;       // by place in the space of all tasks; -1: goes nowhere
  Buffer<Index> unused;
  Offset size = 0;
};
TileSlots make_tile_slots(const BlockPlan& plan);

// The same in two steps, for who has more to say about it.  A number that comes to an entry: both
// count through the vectors of all tasks; `from` what lies beyond comes from elsewhere, and has its
// slot in `to` all the same.  Rows at position -1 are none.
struct TileArrival {
  Index place, from;
  auto operator<=>(const TileArrival&) const = default;
};
using TileArrivals = std::vector<std::vector<TileArrival>>;  // by task, rising
// `parent`: a tree of tasks in which all that a task reaches are above it, and every task comes
// before its parent.
TileArrivals find_arrivals(const BlockPlan& plan, const Buffer<Index>& parent);
// Throws out_of_memory beyond so many slots.
constexpr Offset most_tile_slots = std::numeric_limits<Index>::max();
TileSlots lay_slots(const BlockPlan& plan, const TileArrivals& arrivals, Index most_pairs,
                    Index elsewhere = 0, Offset most_slots = most_tile_slots);

// Which way a launch goes.
enum class Course { push, pull, push_then_pull };

// What a block does.
struct alignas(16) TileList {
  Index first_item, items, first_chunk, chunks;
};

struct TileProgram {
  Buffer<TileList> lists;  // by block
  Buffer<TileItem> items;  // by block, in its order
  Buffer<TileChunk> chunks;
  Index sums = 0;  // numbers that parts of tiles leave for the last
};
TileProgram make_tile_program(const BlockPlan& plan, const TileSlots& slots, Course course,
                              const TileLimits& limits);

// Tasks none of which waits for another one of them, unless they are to be kept in order.
struct TileStep {
  Buffer<Index> tasks;
  bool pull = false;
  bool tells_only = false;  // there is nothing to multiply
  bool in_order = false;
};
using TileLevel = std::vector<TileStep>;  // one after the other, but together they fill the grid
// Level by level.  By task, or empty: `skipped` strips of its panel are not here; `told`, its
// numbers are told to other PEs, when pushing by the first tile that has them all.
TileProgram make_tile_program(const BlockPlan& plan, const TileSlots& slots,
                              std::span<const TileLevel> levels, std::span<const Index> skipped,
                              std::span<const char> told, const TileLimits& limits);

// Where numbers lie in the flow of a launch: slots, answers of both ways, sums of parts.
struct FlowPlaces {
  Offset pushed, answers, sums, size;
  FlowPlaces(const TileSlots& slots, Index n, Course course, Index sums_of_parts)
      : pushed(course == Course::pull ? 0 : slots.size),
        answers(pushed + (course == Course::pull ? 0 : n)),
        sums(answers + (course == Course::push ? 0 : n)),
        size((sums + sums_of_parts + 1) / 2 * 2) {}  // pairs of the second copy are read as one
};

}  // namespace echelon
