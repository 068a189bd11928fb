// exec/cuda/tiles/tile_slots.cpp -- assigns slots to the numbers that tasks of method tree publish
// to each other.
// SPDX-License-Identifier: BSD-3-Clause
//
// Cost.  O(r log r) for r rows outside, over all tasks.
#include <algorithm>

#include "base/elimination_tree.hpp"
#include "exec/cuda/tiles/tile_program.hpp"
#include "exec/task_graph.hpp"

namespace echelon {
namespace {

// A number on its way up the tree, from a task of this level.
struct Message {
  Index position, place, level;
};

// Places and slots are 32-bit numbers; no device has memory for more slots than that.
void require_slots(Offset needed, Offset most) {
  if (needed > most)
    throw Error(ErrorCode::out_of_memory, "the tasks would exchange " + std::to_string(needed) +
                                              " numbers, and at most " + std::to_string(most) +
                                              " can be addressed; choose another method");
}

// Lays out the slots of one task after the other.
class SlotLayer {
 public:
  SlotLayer(const BlockPlan& plan, Index most_pairs, Index elsewhere, Offset most_slots)
      : plan_(plan), most_(2 * most_pairs), most_slots_(most_slots) {
    require_slots(plan.space() + elsewhere, most_slots);
    slots_.to.assign(static_cast<std::size_t>(plan.space()) + static_cast<std::size_t>(elsewhere),
                     -1);
  }
  void add(Index t, const std::vector<TileArrival>& arrivals);
  TileSlots take() { return std::move(slots_); }

 private:
  const BlockPlan& plan_;
  Index most_;
  Offset most_slots_;
  Buffer<Index> count_;  // of arrivals, per entry
  TileSlots slots_;
};

void SlotLayer::add(Index t, const std::vector<TileArrival>& arrivals) {
  const auto first = static_cast<Index>(plan_.space_start[t]);
  const Index entries =
      plan_.own[t] + static_cast<Index>(plan_.outside_start[t + 1] - plan_.outside_start[t]);
  count_.assign(static_cast<std::size_t>(entries), 0);
  for (const TileArrival& a : arrivals) ++count_[a.place - first];
  const Index largest = entries == 0 ? 0 : *std::max_element(count_.begin(), count_.end());
  const Index pairs = (std::min(largest, most_) + 1) / 2;
  slots_.start.push_back(slots_.size);
  slots_.pairs.push_back(pairs);
  require_slots(slots_.size + Offset{2} * pairs * entries +
                    static_cast<Offset>(arrivals.size() + slots_.more.size()) + entries + 1,
                most_slots_);
  const auto slot = [&](Index entry, Index k) {
    return static_cast<Index>(slots_.size) + 2 * (k / 2 * entries + entry) + k % 2;
  };
  for (Index e = 0; e < entries; ++e)
    for (Index k = count_[e]; k < 2 * pairs; ++k) slots_.unused.push_back(slot(e, k));
  Index beyond = static_cast<Index>(slots_.size) + 2 * pairs * entries;
  const auto at = static_cast<Index>(slots_.more.size());
  slots_.more_at.push_back(largest > most_ ? at : -1);
  if (largest > most_)
    slots_.more.resize(slots_.more.size() + static_cast<std::size_t>(entries) + 1);
  std::size_t a = 0;
  for (Index e = 0; e < entries; ++e) {
    if (largest > most_) slots_.more[at + e] = static_cast<Index>(slots_.more.size());
    for (Index k = 0; k < count_[e]; ++k, ++a) {
      const Index place = k < most_ ? slot(e, k) : beyond++;
      if (k >= most_) slots_.more.push_back(place);
      slots_.to[arrivals[a].from] = place;
    }
  }
  if (largest > most_) slots_.more[at + entries] = static_cast<Index>(slots_.more.size());
  slots_.size = beyond + beyond % 2;  // even, so that pairs are aligned
  if (beyond % 2 != 0) slots_.unused.push_back(beyond);
}

}  // namespace

// Places index the vectors of all tasks: own unknowns, then rows outside.
TileArrivals find_arrivals(const BlockPlan& plan, const Buffer<Index>& parent) {
  require_slots(plan.space(), most_tile_slots);
  const Index tasks = plan.tasks();
  std::vector<std::vector<Message>> messages(static_cast<std::size_t>(tasks));
  TileArrivals arrivals(static_cast<std::size_t>(tasks));
  Buffer<Index> place(plan.n), seen(plan.n, -1);
  Index level = 0;
  for (Index t = 0; t < tasks; ++t) {
    while (t >= plan.level_start[level + 1]) ++level;
    Index at = static_cast<Index>(plan.space_start[t]);
    const auto note = [&](Index position) {
      seen[position] = t;
      place[position] = at++;
    };
    for (Index k = plan.task_start[t]; k < plan.task_start[t + 1]; ++k)
      for (Index i = plan.supernodes.first[plan.order[k]];
           i < plan.supernodes.first[plan.order[k] + 1]; ++i)
        note(i);
    std::vector<Message> leaving;
    for (Offset p = plan.outside_start[t]; p < plan.outside_start[t + 1]; ++p) {
      if (plan.outside[p] < 0) {
        ++at;
        continue;
      }
      leaving.push_back({plan.outside[p], at, level});
      note(plan.outside[p]);
    }
    for (const Message& m : messages[t])
      if (seen[m.position] == t && m.level < level)
        arrivals[t].push_back({place[m.position], m.place});
      else
        leaving.push_back(m);
    messages[t] = {};
    std::sort(arrivals[t].begin(), arrivals[t].end());
    if (parent[t] == -1) continue;
    auto& up = messages[parent[t]];
    up.insert(up.end(), leaving.begin(), leaving.end());
  }
  return arrivals;
}

TileSlots make_tile_slots(const BlockPlan& plan) {
  const TaskGraph reach = make_task_graph(plan, true);  // per task the tasks that reach it
  const Buffer<Index> parent = find_parents(plan.tasks(), reach.start, reach.member);
  return lay_slots(plan, find_arrivals(plan, parent), TileSlots::most_pairs(false));
}

TileSlots lay_slots(const BlockPlan& plan, const TileArrivals& arrivals, Index most_pairs,
                    Index elsewhere, Offset most_slots) {
  SlotLayer layer(plan, most_pairs, elsewhere, most_slots);
  for (Index t = 0; t < plan.tasks(); ++t) layer.add(t, arrivals[t]);
  return layer.take();
}

}  // namespace echelon
