// numeric/level_work.cpp -- counts the bytes that each level of a solve reads.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/numeric.hpp"

namespace echelon {
namespace {

// Bytes of panel k, in execution order: its values, its rows, and the updates of its unknowns.
Offset bytes_of_panel(const BlockPlan& plan, Index k, Offset value_bytes) {
  const Supernodes& s = plan.supernodes;
  const Index t = plan.order[k];
  const Offset fetched = plan.fetch_start[s.first[t + 1]] - plan.fetch_start[s.first[t]];
  const Offset indices = plan.local_start[k + 1] - plan.local_start[k] + fetched;
  return (plan.value_start[k + 1] - plan.value_start[k]) * value_bytes +
         indices * static_cast<Offset>(sizeof(Index));
}

LevelWork work_of_level(const BlockPlan& plan, Index level, Offset value_bytes) {
  LevelWork work;
  const Index begin = plan.task_start[plan.level_start[level]];
  const Index end = plan.task_start[plan.level_start[level + 1]];
  for (Index k = begin; k < end; ++k) work.bytes += bytes_of_panel(plan, k, value_bytes);
  work.blocks = end - begin;
  return work;
}

template <class T>
std::vector<LevelWork> work_of_matrices(const LevelMatrices<T>& m) {
  std::vector<LevelWork> levels;
  const auto entry =
      static_cast<Offset>(sizeof(Index) + (m.low.empty() ? sizeof(T) : sizeof(Low<T>)));
  for (Index l = 0; l < m.levels(); ++l) {
    const Index begin = m.level_start[l], end = m.level_start[l + 1];
    const Offset rows = (end - begin) * static_cast<Offset>(sizeof(Index) + sizeof(Offset));
    levels.push_back({end - begin, rows + (m.start[end] - m.start[begin]) * entry});
  }
  return levels;
}

}  // namespace

template <Scalar T>
std::vector<LevelWork> find_level_work(const BlockPlan& plan, const BlockValues<T>& values, Op op) {
  const bool pull = plan.pull != (op != Op::none);
  const Offset stored = plan.values();
  if (values.panel_bytes() == 0 || stored == 0)
    return work_of_matrices(pull ? values.spmv.backwards : values.spmv.forwards);
  std::vector<LevelWork> levels;
  levels.reserve(static_cast<std::size_t>(plan.levels()));
  const Offset value_bytes = values.panel_bytes() / stored;
  for (Index l = 0; l < plan.levels(); ++l)
    levels.push_back(work_of_level(plan, pull ? plan.levels() - 1 - l : l, value_bytes));
  return levels;
}

#define ECHELON_INSTANTIATE(T) \
  template std::vector<LevelWork> find_level_work(const BlockPlan&, const BlockValues<T>&, Op);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
