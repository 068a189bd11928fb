// exec/share_plan.hpp -- one PE's part of a triangle as a resident grid runs it, and where its
// numbers go in the memory of other PEs.
// SPDX-License-Identifier: BSD-3-Clause
//
// A node of the LocalPlan is a task.  With the diagonal block here it is a panel as on one GPU,
// with the rows below that are here.  Where only rows of the column are here, the panel begins
// below its triangle, and the right-hand sides of its columns are told by another PE.  Where only
// blocks of the row are here, the task is a sum on its way to another PE.
//
// Told are, forwards: complete right-hand sides down the tree of a column, and sums up the tree of
// a row; so who has rows of a column need not wait for its answers.  Backwards: answers along the
// tree of a row, and sums up the tree of a column.
#pragma once

#include "echelon/dist.hpp"
#include "exec/tile_program.hpp"

namespace echelon {

// Where the numbers of a task go in the flow of another PE: number i to place + stride i, or as a
// list of places says from `list` on.
struct Tell {
  Index pe = -1;
  Index place = 0;
  Index stride = 1;
  Index list = -1;
};

// A place in the flow of this PE, or of another.
constexpr Offset far_place(Index pe, Index place) { return (Offset{pe} + 1) << 32 | place; }

// An item, and what its task has to do with other PEs.
struct alignas(16) ShareItem : TileItem {
  Index tell = 0, tell_end = 0;       // who is told
  Index told = 0, told_children = 0;  // pulling: sums of children, in the flow
  Tell up;  // pulling: where its sums go; pe is -1: nowhere, they are answers
};

struct SharePlan {
  enum class Kind : std::uint8_t { diagonal, column, row };

  BlockPlan blocks;       // positions are places in a vector of the LocalPlan
  Buffer<Kind> kind;      // by task
  Buffer<Index> skipped;  // by task: strips of the triangle that are elsewhere
  Buffer<char> direct;    // by task: its sums go to the other PE one by one, without a task
  Offset values = 0;      // stored; panel k of blocks.order begins at value_begin[k]
  Buffer<Offset> value_begin;

  TileSlots slots;
  Buffer<Offset> to;  // TileSlots::to, or far_place

  // By task.
  struct Way {
    Buffer<Index> tell_start;  // size tasks+1
    Buffer<Tell> tell;
    Buffer<Index> list;
    Buffer<Index> inbox;               // places of the flow that others write to
    Buffer<Index> from;                // and who does
    Buffer<Index> senders, receivers;  // PEs
  } push, pull;
  Buffer<Tell> up;     // pulling: where the sums of a column go, by task
  Buffer<Index> told;  // pulling: sums of children, from here in the flow; by task
  Buffer<Index> told_children;
  Index told_size = 0;

  Index size() const { return blocks.n; }
};

// Where numbers lie in the flows of a PE: both in numbers of all right-hand sides.
struct ShareFlow {
  Offset pushed, answers, sums, size;
  ShareFlow(const SharePlan& plan, bool pull, Index sums_of_parts)
      : pushed(pull ? 0 : plan.slots.size),
        answers(0),
        sums(pull ? plan.size() + plan.told_size : pushed + plan.size()),
        size((sums + sums_of_parts + 1) / 2 * 2) {}
};

// Made by all PEs together: what each has to say to each other goes between the steps as lists of
// numbers, by PE.
class SharePlanner {
 public:
  using Letters = std::vector<std::vector<Index>>;  // by PE

  SharePlanner(const LocalPlan& plan, const Supernodes& whole);
  Letters ask();
  Letters answer(const Letters& asked);
  SharePlan finish(const Letters& answered);

 private:
  void make_tasks(const LevelSets& levels);
  void lay_task(Index c);
  void find_needs();
  Buffer<Index> find_tree(const Supernodes& whole, const LevelSets& levels) const;
  void lay_tells(const Letters& answered);

  const LocalPlan& plan_;
  SharePlan out_;
  Buffer<Index> task_of_;  // by node
  TileArrivals arrivals_;
};

Buffer<ShareItem> share_items(const SharePlan& plan, bool pull, const Buffer<TileItem>& items);

// A pass.  `triangle`: by task, its inverse could not be trusted.
TileProgram make_share_program(const SharePlan& plan, bool pull, std::span<const char> triangle,
                               const TileLimits& limits);

}  // namespace echelon
