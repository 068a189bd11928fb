// exec/block_program.hpp -- the phases of a solve with panels, level by level: what can be
// done side by side, and where everybody waits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/supernode.hpp"

namespace echelon {

enum class PhaseKind : std::uint8_t {
  fetch,     // rows [begin, end) of shared tasks
  diagonal,  // strips or columns of them; only where some panel is not inverted for good
  product,   // strips of shared tasks, and whole tasks
  sum,       // pulling: columns [begin, end) of shared tasks, over all their pieces
};

struct PhaseItem {
  Index task;
  Index begin;  // -1: the whole task
  Index end;
  Index piece;  // of a shared product: which of all pieces
};

struct Phase {
  PhaseKind kind;
  Index begin, end;  // items
  Index level;       // in order of execution
  Offset work;       // entries it reads, about
};

// One of the two directions.
struct BlockProgram {
  bool pull = false;
  Buffer<Phase> phases;
  Buffer<PhaseItem> items;
};

BlockProgram make_block_program(const BlockPlan& plan, bool pull);

}  // namespace echelon
