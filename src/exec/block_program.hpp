// exec/block_program.hpp -- the phases of a supernodal solve, level by level: the items of a phase
// are independent, and each phase waits for the one before.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/supernode.hpp"

namespace echelon {

enum class PhaseKind : std::uint8_t {
  fetch,     // rows [begin, end) of a shared task
  diagonal,  // strips or columns of a shared task; skipped if all panels are BlockForm::inverse
  product,   // strips of shared tasks, and whole tasks
  sum,       // pulling: columns [begin, end) of a shared task, summed over all its pieces
};

struct PhaseItem {
  Index task;
  Index begin;  // -1: the whole task
  Index end;
  Index piece;  // shared product: index of the piece among all pieces of the plan
};

struct Phase {
  PhaseKind kind;
  Index begin, end;  // items
  Index level;       // in order of execution
  Offset work;       // matrix entries read, approximately
};

// The phases of one direction.
struct BlockProgram {
  bool pull = false;
  Buffer<Phase> phases;
  Buffer<PhaseItem> items;

  Offset bytes() const { return bytes_of(phases, items); }
};

BlockProgram make_block_program(const BlockPlan& plan, bool pull);

}  // namespace echelon
