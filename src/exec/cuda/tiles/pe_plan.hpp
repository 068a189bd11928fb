// exec/cuda/tiles/pe_plan.hpp -- one PE's part of a triangle for method tree on several GPUs, and
// where its numbers go in the memory of other PEs.
// SPDX-License-Identifier: BSD-3-Clause
//
// A node of the LocalPlan is a task.  If the diagonal block is on this PE, the task is a panel as
// on one GPU, with those rows below that are on this PE.  If only rows of the column are here, the
// panel begins below its triangle, and another PE sends the right-hand sides of its columns.  If
// only blocks of the row are here, the task is a sum that goes to another PE.
//
// Forwards, PEs send complete right-hand sides down the tree of a column, and sums up the tree of a
// row; so a PE with rows of a column need not wait for the answers of the column.  Backwards, PEs
// send answers along the tree of a row, and sums up the tree of a column.
#pragma once

#include "echelon/dist.hpp"
#include "exec/cuda/tiles/tile_program.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Where the numbers of a task go in the flow of another PE: number i to place + stride i, or to
// entry list + i of the list of places.
struct RemoteTarget {
  Index pe = -1;
  Index place = 0;
  Index stride = 1;
  Index list = -1;
};

// A place in the flow of another PE; plain places below 2^32 are in the flow of this PE.
constexpr Offset far_place(Index pe, Index place) { return (Offset{pe} + 1) << 32 | place; }

// An item, and its task's traffic with other PEs.
struct alignas(16) PeItem : TileItem {
  Index target = 0, target_end = 0;           // targets on other PEs
  Index received = 0, received_children = 0;  // pull: sums of children, in the flow
  RemoteTarget up;  // pull: target of its sums; pe -1: none, the sums are answers
};

struct PePlan {
  enum class Kind : std::uint8_t { diagonal, column, row };

  BlockPlan blocks;       // positions are places in a vector of the LocalPlan
  Buffer<Kind> kind;      // by task
  Buffer<Index> skipped;  // by task: strips of the triangle that are on another PE
  Buffer<char> direct;    // by task: its sums go to the other PE one by one, without a task
  Offset values = 0;      // number stored; panel k of blocks.order begins at value_begin[k]
  Buffer<Offset> value_begin;

  TileSlots slots;
  Buffer<Offset> to;  // TileSlots::to, or far_place

  // By task.
  struct Way {
    Buffer<Index> target_start;  // size tasks+1
    Buffer<RemoteTarget> target;
    Buffer<Index> list;
    Buffer<Index> inbox;               // places of the flow that other PEs write
    Buffer<Index> from;                // the PE that writes each
    Buffer<Index> senders, receivers;  // PEs
  } push, pull;
  Buffer<RemoteTarget> up;  // pull: target of a column's sums, by task
  Buffer<Index> received;   // pull: start of the sums of children in the flow, by task
  Buffer<Index> received_children;
  Index received_size = 0;

  Index size() const { return blocks.n; }
};

// Where numbers lie in the flow of a PE, in units of all right-hand sides.
struct PeFlow {
  Offset pushed, answers, sums, size;
  PeFlow(const PePlan& plan, bool pull, Index sums_of_parts)
      : pushed(pull ? 0 : plan.slots.size),
        answers(0),
        sums(pull ? plan.size() + plan.received_size : pushed + plan.size()),
        size((sums + sums_of_parts + 1) / 2 * 2) {}
};

// All PEs make their plans together.  Between the steps they exchange the returned messages: lists
// of indices, one per PE.
class PePlanner {
 public:
  using Messages = std::vector<std::vector<Index>>;  // by PE

  PePlanner(const LocalPlan& plan, const Supernodes& whole);
  Messages ask();
  Messages answer(const Messages& asked);
  PePlan finish(const Messages& answered);

 private:
  void make_tasks(const LevelSets& levels);
  void lay_task(Index c);
  void find_needs();
  Buffer<Index> find_tree(const Supernodes& whole, const LevelSets& levels) const;
  void lay_targets(const Messages& answered);

  const LocalPlan& plan_;
  PePlan out_;
  Buffer<Index> task_of_;  // by node
  TileArrivals arrivals_;
};

Buffer<PeItem> pe_items(const PePlan& plan, bool pull, const Buffer<TileItem>& items);

// The program of one pass.  `triangle`: by task, whether its panel is not inverted.
TileProgram make_pe_program(const PePlan& plan, bool pull, std::span<const char> triangle,
                            const TileLimits& limits);

}  // namespace echelon
#pragma GCC visibility pop
