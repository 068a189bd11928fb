// exec/cuda/tiles/pe_plan.cpp -- the tasks of one PE, their slots, and the messages in which PEs
// exchange slot numbers.
// SPDX-License-Identifier: BSD-3-Clause
//
// Messages.  Each receiver sends its slot numbers to its senders.  Both derive from the trees which
// numbers are sent, so a message is just a list of places, in order of supernodes.  The sums come
// first: how many numbers an entry receives depends on their senders.
#include "exec/cuda/tiles/pe_plan.hpp"

#include <algorithm>
#include <numeric>

#include "base/elimination_tree.hpp"

namespace echelon {
namespace {

constexpr Index most_ways = 2;  // most numbers per entry that a PE sends to another without a task

// Reads the messages from beginning to end, by PE.
class Reader {
 public:
  explicit Reader(const std::vector<std::vector<Index>>& messages)
      : messages_(messages), at_(messages.size(), 0) {}
  Index next(Index pe) { return messages_[pe].at(at_[pe]++); }

 private:
  const std::vector<std::vector<Index>>& messages_;
  std::vector<std::size_t> at_;
};

// Calls visit(arrival, entry) first for the first number of each entry of a task, then for the
// second numbers, and so on.
template <class Visit>
void for_each_turn(const std::vector<TileArrival>& arrivals, Index first, Index ways,
                   const Visit& visit) {
  for (Index way = 0; way < ways; ++way) {
    Index turn = 0;
    for (std::size_t a = 0; a < arrivals.size(); ++a) {
      turn = a > 0 && arrivals[a].place == arrivals[a - 1].place ? turn + 1 : 0;
      if (turn == way) visit(arrivals[a], arrivals[a].place - first);
    }
  }
}
Index most_turns(const std::vector<TileArrival>& arrivals) {
  Index most = 0, turn = 0;
  for (std::size_t a = 0; a < arrivals.size(); ++a) {
    turn = a > 0 && arrivals[a].place == arrivals[a - 1].place ? turn + 1 : 0;
    most = std::max(most, turn + 1);
  }
  return most;
}

}  // namespace

PePlanner::PePlanner(const LocalPlan& plan, const Supernodes& whole) : plan_(plan) {
  const LevelSets levels = find_level_sets(whole);
  make_tasks(levels);
  find_needs();
  arrivals_ = find_arrivals(out_.blocks, find_tree(whole, levels));
}

// The tree of this PE's tasks, from the elimination tree of all supernodes.  It skips supernodes
// that are not on this PE: the number of a lower task is added up in the next higher task that is
// here.
Buffer<Index> PePlanner::find_tree(const Supernodes& whole, const LevelSets& levels) const {
  const Index count = whole.count();
  Buffer<Index> place(count), of(whole.n);  // of a supernode in the order of levels
  for (Index k = 0; k < count; ++k) place[levels.order[k]] = k;
  for (Index t = 0; t < count; ++t)
    std::fill(of.begin() + whole.first[t], of.begin() + whole.first[t + 1], place[t]);
  std::vector<std::vector<Index>> reach(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k)
    for (const Index i : whole.rows(levels.order[k]))
      if (reach[of[i]].empty() || reach[of[i]].back() != k) reach[of[i]].push_back(k);
  Buffer<Offset> start(1, 0);
  Buffer<Index> member;
  for (const auto& list : reach) {
    member.insert(member.end(), list.begin(), list.end());
    start.push_back(static_cast<Offset>(member.size()));
  }
  const Buffer<Index> above = find_parents(count, start, member);
  Buffer<Index> parent;
  for (const Index c : out_.blocks.order) {
    Index k = above[place[plan_.node[c]]];
    while (k >= 0 && plan_.local_of[levels.order[k]] < 0) k = above[k];
    parent.push_back(k < 0 ? -1 : task_of_[plan_.local_of[levels.order[k]]]);
  }
  return parent;
}

// --- Tasks.

void PePlanner::make_tasks(const LevelSets& levels) {
  BlockPlan& b = out_.blocks;
  const Index nodes = plan_.nodes();
  b.n = b.supernodes.n = plan_.size();
  b.supernodes.first = plan_.start;
  for (Index l = 0; l < levels.count(); ++l) {
    b.level_start.push_back(static_cast<Index>(b.order.size()));
    for (const Index t : levels.rows(l))
      if (plan_.local_of[t] >= 0) b.order.push_back(plan_.local_of[t]);
  }
  b.level_start.push_back(static_cast<Index>(b.order.size()));

  // The rows of a node.  Where the triangle is on another PE, its rows are padded to a whole strip.
  b.supernodes.row_start.assign(1, 0);
  for (Index c = 0; c < nodes; ++c) {
    const Index w = plan_.width(c);
    if (plan_.height(c) > 0 && plan_.diagonal[c] < 0)
      for (Index i = w; i % PanelShape::strip != 0; ++i) b.supernodes.row.push_back(-1);
    b.supernodes.row.insert(b.supernodes.row.end(), plan_.row.begin() + plan_.row_start[c],
                            plan_.row.begin() + plan_.row_start[c + 1]);
    b.supernodes.row_start.push_back(static_cast<Offset>(b.supernodes.row.size()));
  }
  b.task_start.resize(static_cast<std::size_t>(nodes) + 1);
  std::iota(b.task_start.begin(), b.task_start.end(), 0);
  b.space_start.assign(1, 0);
  b.outside_start.assign(1, 0);
  b.local_start.assign(static_cast<std::size_t>(nodes) + 1, 0);
  task_of_.resize(nodes);
  for (Index t = 0; t < nodes; ++t) {
    task_of_[b.order[t]] = t;
    lay_task(b.order[t]);
  }
  b.value_start.push_back(out_.values);
  out_.direct.assign(nodes, 0);
}

void PePlanner::lay_task(Index c) {
  using Kind = PePlan::Kind;
  constexpr Offset line = 8;
  BlockPlan& b = out_.blocks;
  const Index w = plan_.width(c), h = b.supernodes.height(c);
  const Kind kind = plan_.diagonal[c] >= 0 ? Kind::diagonal
                    : plan_.height(c) > 0  ? Kind::column
                                           : Kind::row;
  const Index skipped = kind == Kind::column ? (w + PanelShape::strip - 1) / PanelShape::strip : 0;
  const Offset before = skipped > 0 ? strip_start(w, skipped) : 0;
  out_.kind.push_back(kind);
  out_.skipped.push_back(skipped);
  out_.value_begin.push_back(out_.values);
  b.value_start.push_back(out_.values - before);
  if (kind != Kind::row) out_.values += panel_size(b.layout, w, h) - before;
  b.own.push_back(w);
  const auto rows = b.supernodes.rows(c);
  b.outside.insert(b.outside.end(), rows.begin(), rows.end());
  b.outside_start.push_back(static_cast<Offset>(b.outside.size()));
  b.space_start.push_back((b.space_start.back() + w + h + line - 1) / line * line);
}

void PePlanner::find_needs() {
  BlockPlan& b = out_.blocks;
  b.need_start.assign(1, 0);
  for (Index t = 0; t < b.tasks(); ++t) {
    const Index c = b.order[t];
    for (Index k = plan_.block_start[c]; k < plan_.block_start[c + 1]; ++k)
      b.need.push_back(task_of_[plan_.block[k].row]);
    b.need_start.push_back(static_cast<Index>(b.need.size()));
  }
}

// --- Messages.

// Announces the sums that leave this PE: per sum the entries of its numbers, in the order of
// for_each_turn, or every entry once where a task of this PE adds them up.
PePlanner::Messages PePlanner::ask() {
  Messages messages(plan_.ranks);
  for (Index c = 0; c < plan_.nodes(); ++c) {
    const Index to = plan_.across.parent[c];
    if (to < 0) continue;
    const Index t = task_of_[c], first = static_cast<Index>(out_.blocks.space_start[t]);
    const Index ways = most_turns(arrivals_[t]);
    std::vector<Index>& message = messages[to];
    out_.direct[t] = plan_.across.children(c).empty() && ways <= most_ways;
    if (out_.direct[t]) {
      message.push_back(static_cast<Index>(arrivals_[t].size()));
      for_each_turn(arrivals_[t], first, ways,
                    [&](const TileArrival&, Index entry) { message.push_back(entry); });
    } else {
      message.push_back(plan_.width(c));
      for (Index i = 0; i < plan_.width(c); ++i) message.push_back(i);
    }
  }
  return messages;
}

PePlanner::Messages PePlanner::answer(const Messages& asked) {
  const BlockPlan& b = out_.blocks;
  const auto space = static_cast<Index>(b.space());
  TileArrivals all = arrivals_;
  for (Index t = 0; t < b.tasks(); ++t)
    if (out_.direct[t]) all[t].clear();
  // Numbers from other PEs, numbered in the order found.
  Index elsewhere = 0;
  std::vector<std::vector<Index>> numbers(plan_.ranks);  // by PE
  Reader reader(asked);
  for (Index c = 0; c < plan_.nodes(); ++c) {
    const Index t = task_of_[c], first = static_cast<Index>(b.space_start[t]);
    for (const Index from : plan_.across.children(c))
      for (Index left = reader.next(from); left > 0; --left) {
        numbers[from].push_back(elsewhere);
        out_.push.from.push_back(from);
        all[t].push_back({first + reader.next(from), space + elsewhere++});
      }
    if (plan_.column.parent[c] >= 0)
      for (Index i = 0; i < plan_.width(c); ++i) {
        out_.push.from.push_back(plan_.column.parent[c]);
        all[t].push_back({first + i, space + elsewhere++});
      }
    std::sort(all[t].begin(), all[t].end());
  }
  out_.slots = lay_slots(b, all, TileSlots::most_pairs(true), elsewhere);
  const auto fresh = out_.slots.to.begin() + space;
  out_.push.inbox.insert(out_.push.inbox.end(), fresh, fresh + elsewhere);

  Messages messages(plan_.ranks);
  for (Index pe = 0; pe < plan_.ranks; ++pe)
    for (const Index e : numbers[pe]) messages[pe].push_back(out_.slots.to[space + e]);
  const auto inbox = [&](Index from, Index first, Index count) {
    for (Index i = 0; i < count; ++i) out_.pull.inbox.push_back(first + i);
    out_.pull.from.resize(out_.pull.inbox.size(), from);
    return first;
  };
  for (Index c = 0; c < plan_.nodes(); ++c)
    if (const Index from = plan_.column.parent[c]; from >= 0)
      messages[from].push_back(static_cast<Index>(out_.slots.start[task_of_[c]]));
  for (Index c = 0; c < plan_.nodes(); ++c)
    if (const Index from = plan_.across.parent[c]; from >= 0)
      messages[from].push_back(inbox(from, plan_.start[c], plan_.width(c)));
  out_.received.assign(b.tasks(), 0);
  out_.received_children.assign(b.tasks(), 0);
  for (Index c = 0; c < plan_.nodes(); ++c) {
    const auto children = plan_.column.children(c);
    out_.received[task_of_[c]] = plan_.size() + out_.received_size;
    out_.received_children[task_of_[c]] = static_cast<Index>(children.size());
    for (const Index from : children) {
      messages[from].push_back(inbox(from, plan_.size() + out_.received_size, plan_.width(c)));
      out_.received_size += plan_.width(c);
    }
  }
  return messages;
}

PePlan PePlanner::finish(const Messages& answered) {
  const BlockPlan& b = out_.blocks;
  const auto space = static_cast<std::size_t>(b.space());
  out_.to.assign(out_.slots.to.begin(), out_.slots.to.begin() + space);
  lay_targets(answered);
  for (const Sweep way : {Sweep::forward, Sweep::backward}) {
    const PassTraffic traffic = count_traffic(plan_, way);
    PePlan::Way& mine = way == Sweep::forward ? out_.push : out_.pull;
    for (Index pe = 0; pe < plan_.ranks; ++pe) {
      if (traffic.sent.messages[pe] > 0) mine.receivers.push_back(pe);
      if (traffic.received.messages[pe] > 0) mine.senders.push_back(pe);
    }
  }
  return std::move(out_);
}

void PePlanner::lay_targets(const Messages& answered) {
  const BlockPlan& b = out_.blocks;
  std::vector<std::vector<RemoteTarget>> push(static_cast<std::size_t>(b.tasks())), pull(push);
  out_.up.assign(b.tasks(), {});
  Reader reader(answered);
  for (Index c = 0; c < plan_.nodes(); ++c) {  // sums
    const Index to = plan_.across.parent[c];
    if (to < 0) continue;
    const Index t = task_of_[c], first = static_cast<Index>(b.space_start[t]);
    if (out_.direct[t]) {
      for_each_turn(arrivals_[t], first, most_ways, [&](const TileArrival& a, Index) {
        out_.to[a.from] = far_place(to, reader.next(to));
      });
      continue;
    }
    push[t].push_back({to, 0, 0, static_cast<Index>(out_.push.list.size())});
    for (Index i = 0; i < plan_.width(c); ++i) out_.push.list.push_back(reader.next(to));
  }
  for (Index c = 0; c < plan_.nodes(); ++c)  // right-hand sides
    for (const Index to : plan_.column.children(c))
      push[task_of_[c]].push_back({to, reader.next(to), 2});
  for (Index c = 0; c < plan_.nodes(); ++c)  // answers
    for (const Index to : plan_.across.children(c))
      pull[task_of_[c]].push_back({to, reader.next(to)});
  for (Index c = 0; c < plan_.nodes(); ++c)  // sums of columns
    if (const Index to = plan_.column.parent[c]; to >= 0)
      out_.up[task_of_[c]] = {to, reader.next(to)};
  const auto flatten = [](const std::vector<std::vector<RemoteTarget>>& lists, PePlan::Way& way) {
    way.target_start.assign(1, 0);
    for (const auto& list : lists) {
      way.target.insert(way.target.end(), list.begin(), list.end());
      way.target_start.push_back(static_cast<Index>(way.target.size()));
    }
  };
  flatten(push, out_.push);
  flatten(pull, out_.pull);
}

Buffer<PeItem> pe_items(const PePlan& plan, bool pull, const Buffer<TileItem>& items) {
  const PePlan::Way& way = pull ? plan.pull : plan.push;
  Buffer<PeItem> out;
  out.reserve(items.size());
  for (const TileItem& item : items) {
    PeItem& s = out.emplace_back();
    static_cast<TileItem&>(s) = item;
    s.target = way.target_start[item.task];
    s.target_end = way.target_start[item.task + 1];
    if (!pull) continue;
    s.received = plan.received[item.task];
    s.received_children = plan.received_children[item.task];
    s.up = plan.up[item.task];
  }
  return out;
}

// --- Steps.
//
// Order.  Everything that an item waits for, on this PE or another, comes before it in this order:
// level, then step, then node, then place in the tree.  All lists of all PEs follow this order, so
// the first unfinished item of all can always proceed.

namespace {

std::vector<TileLevel> levels_of(const PePlan& plan, bool pull, std::span<const char> triangle,
                                 std::span<const char> sent) {
  using Kind = PePlan::Kind;
  const BlockPlan& b = plan.blocks;
  std::vector<TileLevel> levels;
  const auto add = [&](Index level, bool sends_only, bool in_order, const auto& wanted) {
    TileStep step;
    step.pull = pull;
    step.sends_only = sends_only;
    step.in_order = in_order;
    for (Index t = b.level_start[level]; t < b.level_start[level + 1]; ++t)
      if (wanted(t, plan.kind[t])) step.tasks.push_back(t);
    if (!step.tasks.empty()) levels.back().push_back(std::move(step));
  };
  for (Index l = 0; l < b.levels() && !pull; ++l) {
    levels.emplace_back();
    add(l, true, true, [&](Index t, Kind k) { return k == Kind::row && sent[t]; });
    add(l, false, false, [&](Index, Kind k) { return k == Kind::diagonal; });
    for (const char solved : {0, 1}) {
      // A panel that is not inverted sends its answers once it has them, and other items wait for
      // these.
      if (solved)
        add(l, true, true,
            [&](Index t, Kind k) { return k == Kind::diagonal && sent[t] && triangle[t]; });
      const auto column = [&](Index t, Kind k) {
        return k == Kind::column && (triangle[t] != 0) == (solved != 0);
      };
      add(l, false, true, [&](Index t, Kind k) { return column(t, k) && sent[t]; });
      add(l, false, false, [&](Index t, Kind k) { return column(t, k) && !sent[t]; });
    }
  }
  for (Index l = b.levels(); pull && l-- > 0;) {
    levels.emplace_back();
    add(l, false, false,
        [&](Index t, Kind k) { return k == Kind::column && plan.received_children[t] == 0; });
    add(l, false, true,
        [&](Index t, Kind k) { return k == Kind::column && plan.received_children[t] > 0; });
    add(l, false, false, [&](Index, Kind k) { return k == Kind::diagonal; });
    add(l, true, true, [&](Index t, Kind k) { return k == Kind::row && sent[t]; });
  }
  return levels;
}

}  // namespace

TileProgram make_pe_program(const PePlan& plan, bool pull, std::span<const char> triangle,
                            const TileLimits& limits) {
  using Kind = PePlan::Kind;
  const PePlan::Way& way = pull ? plan.pull : plan.push;
  Buffer<char> sent, by_tiles;
  for (Index t = 0; t < plan.blocks.tasks(); ++t) {
    sent.push_back(way.target_start[t] < way.target_start[t + 1]);
    by_tiles.push_back(sent.back() && !(plan.kind[t] == Kind::diagonal && triangle[t]));
  }
  return make_tile_program(plan.blocks, plan.slots, levels_of(plan, pull, triangle, sent),
                           plan.skipped, by_tiles, limits);
}

}  // namespace echelon
