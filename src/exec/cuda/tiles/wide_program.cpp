// exec/cuda/tiles/wide_program.cpp -- cuts the panels of a plan into items of a wide pass, level by
// level.
// SPDX-License-Identifier: BSD-3-Clause
//
// Items of a level cost about the same, and there are about two per resident block where the level
// has that much work.  Pushing follows the levels of the plan.  Pulling follows the depth in the
// elimination tree: a task waits for its parent, which waited for its own, so all ancestors are
// done.
//
// Cost.  O(tasks + items + rows outside).
#include "exec/cuda/tiles/wide_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/elimination_tree.hpp"
#include "exec/task_graph.hpp"

namespace echelon {
namespace {

constexpr Index most_tiles = WideShape::warps;  // per item
constexpr Index most_parts = 4;                 // per item
constexpr Index least_strips = 4;               // per part of an item that pulls
constexpr Index least_columns = 8;              // per part of one that pushes, in tiles of 32
constexpr double items_per_block = 2;           // in a level

Index parts_of(Index all, Index each) { return (all + each - 1) / each; }
Index strips_for(double wanted, Index most) {
  return static_cast<Index>(std::clamp(std::round(wanted), 1.0, static_cast<double>(most)));
}

class WideCutter {
 public:
  WideCutter(const BlockPlan& plan, const TileSlots& slots, Index blocks, Index groups)
      : plan_(plan), slots_(slots), share_(groups / (items_per_block * blocks)) {
    program_.counters = plan.tasks();
    done_.assign(plan.tasks(), 0);
  }
  WideProgram push();
  WideProgram pull();

 private:
  Index width(Index t) const { return plan_.supernodes.width(plan_.order[t]); }
  Index height(Index t) const { return plan_.supernodes.height(plan_.order[t]); }
  Index strips(Index t) const { return strip_count(width(t), height(t)); }
  Index tiles(Index t) const { return parts_of(width(t), WideShape::tile); }
  double push_cost(Index t) const { return static_cast<double>(strips(t)) * width(t); }
  double pull_cost(Index t) const { return static_cast<double>(strips(t)) * tiles(t); }

  WideItem item_of(Index t, WideKind kind) const;
  void find_targets();
  void collect(Index t);
  void push_task(Index t, double cost);
  void add(WideItem item, Index low, Index high, Index parts);
  void pull_task(Index t, Index parent, double cost);

  const BlockPlan& plan_;
  const TileSlots& slots_;
  double share_;        // of a level's cost, per item
  Buffer<Index> done_;  // by task; push: items that send to it; pull: its items
  Buffer<Index> target_start_;
  WideProgram program_;
};

WideItem WideCutter::item_of(Index t, WideKind kind) const {
  WideItem item{};
  item.kind = kind;
  item.value = plan_.value_start[t];
  item.space = plan_.space_start[t];
  item.outside = plan_.outside_start[t];
  item.w = width(t);
  item.h = height(t);
  item.first = plan_.supernodes.first[plan_.order[t]];
  item.wait = -1;
  return item;
}

// Adds an item, whose sum over [low, high) is divided into parts.
void WideCutter::add(WideItem item, Index low, Index high, Index parts) {
  item.parts = parts;
  if (parts > 1) {
    item.place = program_.tiles;
    program_.tiles += parts * (item.end - item.begin);
    item.counter = program_.counters++;
  }
  for (item.part = 0; item.part < parts; ++item.part) {
    item.low = low + static_cast<Index>(Offset{high - low} * item.part / parts);
    item.high = low + static_cast<Index>(Offset{high - low} * (item.part + 1) / parts);
    program_.items.push_back(item);
  }
}

// --- Push.

// The tasks that each task sends numbers to.
void WideCutter::find_targets() {
  Buffer<Index>& all = program_.signals;
  target_start_.push_back(0);
  for (Index t = 0; t < plan_.tasks(); ++t) {
    const auto begin = static_cast<std::ptrdiff_t>(all.size());
    for (Offset p = plan_.space_start[t] + width(t);
         p < plan_.space_start[t] + width(t) + height(t); ++p) {
      if (slots_.to[p] < 0) continue;
      const auto after =
          std::upper_bound(slots_.start.begin(), slots_.start.end(), Offset{slots_.to[p]});
      const auto target = static_cast<Index>(after - slots_.start.begin()) - 1;
      if (all.size() == static_cast<std::size_t>(begin) || all.back() != target)
        all.push_back(target);
    }
    std::sort(all.begin() + begin, all.end());
    all.resize(static_cast<std::size_t>(std::unique(all.begin() + begin, all.end()) - all.begin()));
    target_start_.push_back(static_cast<Index>(all.size()));
  }
}

void WideCutter::collect(Index t) {
  const Index count = tiles(t);
  for (Index k = 0; k < count; ++k) {
    WideItem item = item_of(t, WideKind::collect);
    item.begin = k;
    item.end = k + 1;
    item.receives = 2 * slots_.pairs[t];
    item.more = slots_.more_at[t];
    item.wait = t;
    item.needed = done_[t];
    item.signal = static_cast<Index>(program_.signals.size());
    item.signals = 1;
    program_.items.push_back(item);
  }
  program_.signals.push_back(t);
  done_[t] += count;
}

// `cost`: what an item should cost, in columns of a strip.
void WideCutter::push_task(Index t, double cost) {
  const Index each = strips_for(cost / width(t), most_tiles);
  const Index count = strips(t), items = parts_of(count, each);
  for (Index k = 0; k < items; ++k) {
    WideItem item = item_of(t, WideKind::push);
    item.begin = static_cast<Index>(Offset{count} * k / items);
    item.end = static_cast<Index>(Offset{count} * (k + 1) / items);
    item.receives = 2 * slots_.pairs[t];
    item.more = slots_.more_at[t];
    if (done_[t] > 0) item.wait = t;
    item.needed = done_[t];
    item.signal = target_start_[t];
    item.signals = target_start_[t + 1] - target_start_[t];
    const Index columns = std::min(tiles(t), item.end);
    Index parts = 1;
    if (each == 1 && columns >= 2 * least_columns)
      parts = std::clamp(static_cast<Index>(std::round(columns * WideShape::tile / cost)), Index{1},
                         std::min(columns / least_columns, most_parts));
    add(item, 0, columns, parts);
  }
  for (Index k = target_start_[t]; k < target_start_[t + 1]; ++k)
    done_[program_.signals[k]] += items;
}

WideProgram WideCutter::push() {
  find_targets();
  for (Index l = 0; l < plan_.levels(); ++l) {
    const Index first = plan_.level_start[l], end = plan_.level_start[l + 1];
    double cost = 0;
    for (Index t = first; t < end; ++t) cost += push_cost(t);
    for (Index t = first; t < end; ++t)
      if (done_[t] > 0) collect(t);
    for (Index t = first; t < end; ++t) push_task(t, cost * share_);
  }
  return std::move(program_);
}

// --- Pull.

// `cost`: what an item should cost, in tiles of 32 by 32.
void WideCutter::pull_task(Index t, Index parent, double cost) {
  const Index all = strips(t), columns = tiles(t);
  const Index each = strips_for(cost / all, most_tiles);
  const Index items = parts_of(columns, each);
  Index parts = 1;
  if (each == 1)
    parts = std::clamp(static_cast<Index>(std::round(all / std::max(cost, 1.0))), Index{1},
                       std::clamp(all / least_strips, Index{1}, most_parts));
  parts = std::max(parts, parts_of(all, WideShape::most_rows / WideShape::tile));
  for (Index k = 0; k < items; ++k) {
    WideItem item = item_of(t, WideKind::pull);
    item.begin = static_cast<Index>(Offset{columns} * k / items);
    item.end = static_cast<Index>(Offset{columns} * (k + 1) / items);
    const Index rows = all - item.begin;  // strips above its first column are empty
    item.wait = parent;
    item.needed = parent < 0 ? 0 : done_[parent];
    item.signal = t;
    item.signals = 1;
    add(item, item.begin, all, std::min(parts, rows));
  }
  done_[t] = items;
}

WideProgram WideCutter::pull() {
  const TaskGraph reach = make_task_graph(plan_, true);  // per task the tasks that reach it
  const Buffer<Index> parent = find_parents(plan_.tasks(), reach.start, reach.member);
  program_.signals.resize(plan_.tasks());
  std::iota(program_.signals.begin(), program_.signals.end(), 0);
  std::vector<std::vector<Index>> levels;  // by depth in the tree
  Buffer<Index> depth(plan_.tasks(), 0);
  for (Index t = plan_.tasks(); t-- > 0;) {
    if (parent[t] >= 0) depth[t] = depth[parent[t]] + 1;
    if (depth[t] >= static_cast<Index>(levels.size())) levels.emplace_back();
    levels[depth[t]].push_back(t);
  }
  for (std::vector<Index>& level : levels) {
    std::stable_sort(level.begin(), level.end(),
                     [&](Index a, Index b) { return pull_cost(a) > pull_cost(b); });
    double cost = 0;
    for (const Index t : level) cost += pull_cost(t);
    for (const Index t : level) pull_task(t, parent[t], cost * share_);
  }
  return std::move(program_);
}

}  // namespace

WideProgram make_wide_program(const BlockPlan& plan, const TileSlots& slots, bool pull,
                              Index blocks, Index groups) {
  WideCutter cutter(plan, slots, blocks, groups);
  return pull ? cutter.pull() : cutter.push();
}

WideSources make_wide_sources(const BlockPlan& plan, const TileSlots& slots) {
  const auto none = static_cast<Index>(plan.space());
  Buffer<Index> place(static_cast<std::size_t>(slots.size), none);  // by slot: who fills it
  for (Offset p = 0; p < plan.space(); ++p)
    if (slots.to[p] >= 0) place[slots.to[p]] = static_cast<Index>(p);
  WideSources sources{
      Buffer<Index>(static_cast<std::size_t>(plan.space()) * WideSources::most, none), slots.more};
  for (Index t = 0; t < plan.tasks(); ++t) {
    const Index s = plan.order[t], entries = plan.supernodes.width(s) + plan.supernodes.height(s);
    for (Index e = 0; e < entries; ++e) {
      Index* const from = sources.from.data() + (plan.space_start[t] + e) * WideSources::most;
      for (Index k = 0; k < 2 * slots.pairs[t]; ++k)
        from[k] = place[slots.start[t] + 2 * (k / 2 * Offset{entries} + e) + k % 2];
    }
    if (slots.more_at[t] < 0) continue;
    const Index* const list = slots.more.data() + slots.more_at[t];
    for (Index q = list[0]; q < list[entries]; ++q) sources.more[q] = place[slots.more[q]];
  }
  return sources;
}

bool has_single_tasks(const BlockPlan& plan) {
  return plan.layout == PanelLayout::strips &&
         plan.tasks() == static_cast<Index>(plan.order.size());
}

}  // namespace echelon
