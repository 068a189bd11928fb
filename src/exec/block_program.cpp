// exec/block_program.cpp -- lists the work items of each level: large panels in pieces, all other
// tasks whole.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/block_program.hpp"

#include <algorithm>

namespace echelon {
namespace {

constexpr Index range_rows = 512;  // rows per item: some microseconds of work

void add_ranges(Index t, Index rows, BlockProgram& program) {
  for (Index begin = 0; begin < rows; begin += range_rows)
    program.items.push_back({t, begin, std::min(begin + range_rows, rows), -1});
}

// `last`: the end of the last piece.
void add_pieces(const Chunks& chunks, Index t, Index last, BlockProgram& program) {
  for (Index c = chunks.start[t]; c < chunks.start[t + 1]; ++c)
    program.items.push_back(
        {t, chunks.begin[c], c + 1 < chunks.start[t + 1] ? chunks.begin[c + 1] : last, c});
}

void add_shared(const BlockPlan& plan, PhaseKind kind, Index t, BlockProgram& program) {
  const Index s = plan.order[plan.task_start[t]];
  const Index w = plan.supernodes.width(s), h = plan.supernodes.height(s);
  switch (kind) {
    case PhaseKind::fetch:
      return add_ranges(t, program.pull ? w + h : w, program);
    case PhaseKind::sum:
      return add_ranges(t, w, program);
    case PhaseKind::product:
      return add_pieces(plan.by_rows, t, strip_count(w, h), program);
    case PhaseKind::diagonal:
      return program.pull ? add_pieces(plan.by_columns, t, w, program)
                          : add_pieces(plan.by_rows, t, strip_count(w, h), program);
  }
}

// Matrix entries of task t that a phase of this kind reads.
Offset work_of(const BlockPlan& plan, PhaseKind kind, Index t) {
  const Index first = plan.task_start[t];
  if (kind == PhaseKind::product)
    return plan.value_start[plan.task_start[t + 1]] - plan.value_start[first];
  const Offset w = plan.supernodes.width(plan.order[first]);
  return kind == PhaseKind::diagonal ? w * w / 2 : 4 * w;
}

}  // namespace

BlockProgram make_block_program(const BlockPlan& plan, bool pull) {
  BlockProgram program;
  program.pull = pull;
  const auto add_phase = [&](PhaseKind kind, Index l) {
    const Index level = pull ? plan.levels() - 1 - l : l;
    const auto begin = static_cast<Index>(program.items.size());
    Offset work = 0;
    for (Index t = plan.level_start[level]; t < plan.level_start[level + 1]; ++t) {
      if (plan.by_rows.shared(t))
        add_shared(plan, kind, t, program);
      else if (kind == PhaseKind::product)
        program.items.push_back({t, -1, -1, -1});
      else
        continue;
      work += work_of(plan, kind, t);
    }
    const auto end = static_cast<Index>(program.items.size());
    if (begin < end) program.phases.push_back({kind, begin, end, l, work});
  };
  for (Index l = 0; l < plan.levels(); ++l) {
    add_phase(PhaseKind::fetch, l);
    if (!pull) add_phase(PhaseKind::diagonal, l);
    add_phase(PhaseKind::product, l);
    if (pull) add_phase(PhaseKind::sum, l);
    if (pull) add_phase(PhaseKind::diagonal, l);
  }
  return program;
}

}  // namespace echelon
