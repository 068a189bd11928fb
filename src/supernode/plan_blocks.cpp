// supernode/plan_blocks.cpp -- builds the plan of a supernodal solve: tasks, their vectors and
// messages, and the panel layout.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The elimination tree of the supernodes is that of the symmetric pattern N + N': then
// every row of a supernode belongs to one of its ancestors, for any triangle (Liu).  So a whole
// subtree depends on nothing outside, and all its messages go to ancestors of its root.  The
// largest subtrees within the bound become tasks; small neighbours under one parent share a task;
// every supernode above is its own task.  Tasks are numbered by level.  All of this depends on the
// pattern only.
//
// Cost.  O(n + rows of all supernodes), plus sorting.
//
// Reference.  J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J.
// Matrix Anal. Appl. 11 (1990), 134-172.
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/elimination_tree.hpp"
#include "supernode/paths.hpp"

namespace echelon {
namespace {

using Lists = std::pair<Buffer<Offset>, Buffer<Index>>;  // starts and members

// Calls visit(u) for each supernode u with a row of t, in rising order.
template <class Visit>
void for_each_target(const Supernodes& s, const Buffer<Index>& owner, Index t, const Visit& visit) {
  Index last = -1;
  for (const Index i : s.rows(t))
    if (owner[i] != last) visit(last = owner[i]);
}

// For each supernode, the supernodes with rows in it, in rising order.
Lists find_sources(const Supernodes& s, const Buffer<Index>& owner) {
  Lists sources{Buffer<Offset>(s.count() + 1, 0), {}};
  Buffer<Offset>& start = sources.first;
  Buffer<Index>& member = sources.second;
  for (Index t = 0; t < s.count(); ++t)
    for_each_target(s, owner, t, [&](Index target) { ++start[target + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  member.resize(static_cast<std::size_t>(start.back()));
  Buffer<Offset> next(start.begin(), start.end() - 1);
  for (Index t = 0; t < s.count(); ++t)
    for_each_target(s, owner, t, [&](Index target) { member[next[target]++] = t; });
  return sources;
}

// The task of each supernode, given by a representative: the root of the task's first subtree.
Buffer<Index> gather_subtrees(const Supernodes& s, const Buffer<Index>& parent, double limit) {
  const Index count = s.count();
  Buffer<double> work(count);
  for (Index t = 0; t < count; ++t) work[t] = static_cast<double>(s.entries(t));
  for (Index t = 0; t < count; ++t)
    if (parent[t] != -1) work[parent[t]] += work[t];

  // Roots of subtrees that fit; those under one parent are combined while they fit.
  Buffer<Index> task(count), open(count + 1, -1);  // open: by parent (count: none)
  Buffer<double> filled(count, 0);
  for (Index t = 0; t < count; ++t) {
    task[t] = t;
    const Index up = parent[t] == -1 ? count : parent[t];
    const bool fits = work[t] <= limit, last = up == count || work[up] > limit;
    if (!fits || !last) continue;
    if (open[up] != -1 && filled[open[up]] + work[t] <= limit) task[t] = open[up];
    open[up] = task[t];
    filled[task[t]] += work[t];
  }
  // All supernodes of a subtree belong to its root's task.
  for (Index t = count - 1; t >= 0; --t)
    if (parent[t] != -1 && work[parent[t]] <= limit) task[t] = task[parent[t]];
  return task;
}

// Numbers tasks by level, largest first in a level; sets each supernode's task to its number.
void number_tasks(const Lists& sources, Buffer<Index>& task, BlockPlan& plan) {
  const Supernodes& s = plan.supernodes;
  const Index count = s.count();
  Buffer<Index> level(count, 0);  // by representative; sources precede their targets
  Buffer<double> work(count, 0);
  const auto& [start, member] = sources;
  for (Index t = 0; t < count; ++t) {
    work[task[t]] += static_cast<double>(s.entries(t));
    for (Offset p = start[t]; p < start[t + 1]; ++p)
      if (task[member[p]] != task[t])
        level[task[t]] = std::max(level[task[t]], level[task[member[p]]] + 1);
  }
  Buffer<Index> ranked;
  for (Index t = 0; t < count; ++t)
    if (task[t] == t) ranked.push_back(t);
  std::stable_sort(ranked.begin(), ranked.end(), [&](Index a, Index b) {
    return level[a] != level[b] ? level[a] < level[b] : work[a] > work[b];
  });
  Buffer<Index> number(count);
  for (std::size_t k = 0; k < ranked.size(); ++k) {
    number[ranked[k]] = static_cast<Index>(k);
    if (k == 0 || level[ranked[k]] != level[ranked[k - 1]])
      plan.level_start.push_back(static_cast<Index>(k));
  }
  plan.level_start.push_back(static_cast<Index>(ranked.size()));
  for (Index& t : task) t = number[t];
  plan.own.assign(ranked.size(), 0);
}

// Orders the supernodes by task, and places their panels.
void lay_out(const Buffer<Index>& task, BlockPlan& plan) {
  const Supernodes& s = plan.supernodes;
  plan.task_start.assign(plan.own.size() + 1, 0);
  for (Index t = 0; t < s.count(); ++t) {
    ++plan.task_start[task[t] + 1];
    plan.own[task[t]] += s.width(t);
  }
  std::partial_sum(plan.task_start.begin(), plan.task_start.end(), plan.task_start.begin());
  plan.order.resize(s.count());
  Buffer<Index> next(plan.task_start.begin(), plan.task_start.end() - 1);
  for (Index t = 0; t < s.count(); ++t) plan.order[next[task[t]]++] = t;
  plan.value_start.assign(1, 0);
  for (const Index t : plan.order)
    plan.value_start.push_back(plan.value_start.back() +
                               panel_size(plan.layout, s.width(t), s.height(t)));
}

// The rows outside each task, and every row's place in the task's vector.
void find_vectors(BlockPlan& plan) {
  const Supernodes& s = plan.supernodes;
  constexpr Offset line = 8;  // vectors begin on a cache line of doubles
  Buffer<Index> place(s.n, 0), seen(s.n, -1);
  plan.space_start.assign(1, 0);
  plan.outside_start.assign(1, 0);
  plan.local_start.assign(1, 0);
  for (Index t = 0; t < plan.tasks(); ++t) {
    const Index begin = plan.task_start[t], end = plan.task_start[t + 1];
    Index own = 0;
    for (Index k = begin; k < end; ++k)
      for (Index i = s.first[plan.order[k]]; i < s.first[plan.order[k] + 1]; ++i) {
        seen[i] = t;
        place[i] = own++;
      }
    const auto outside_begin = static_cast<Offset>(plan.outside.size());
    for (Index k = begin; k < end; ++k)
      for (const Index i : s.rows(plan.order[k]))
        if (seen[i] != t) {
          seen[i] = t;
          plan.outside.push_back(i);
        }
    std::sort(plan.outside.begin() + outside_begin, plan.outside.end());
    for (auto p = static_cast<std::size_t>(outside_begin); p < plan.outside.size(); ++p)
      place[plan.outside[p]] = own++;
    for (Index k = begin; k < end; ++k) {
      if (end - begin > 1)
        for (const Index i : s.rows(plan.order[k])) plan.local.push_back(place[i]);
      plan.local_start.push_back(static_cast<Offset>(plan.local.size()));
    }
    plan.outside_start.push_back(static_cast<Offset>(plan.outside.size()));
    plan.space_start.push_back((plan.space_start.back() + own + line - 1) / line * line);
  }
  if (plan.space() > std::numeric_limits<Index>::max())
    throw Error(ErrorCode::bad_argument, "the supernodes reach more than 2^31 rows in all");
}

// For each position, the places where other tasks write its updates, by task; for each task, the
// tasks that wait for it.
void find_messages(const Buffer<Index>& owner, const Buffer<Index>& task, BlockPlan& plan) {
  plan.fetch_start.assign(plan.n + 1, 0);
  for (const Index i : plan.outside) ++plan.fetch_start[i + 1];
  std::partial_sum(plan.fetch_start.begin(), plan.fetch_start.end(), plan.fetch_start.begin());
  plan.fetch.resize(plan.outside.size());
  Buffer<Offset> next(plan.fetch_start.begin(), plan.fetch_start.end() - 1);
  plan.need_start.assign(1, 0);
  Buffer<Index> counted_by(plan.tasks(), -1);
  for (Index t = 0; t < plan.tasks(); ++t) {
    Offset place = plan.space_start[t] + plan.own[t];
    for (Offset p = plan.outside_start[t]; p < plan.outside_start[t + 1]; ++p) {
      plan.fetch[next[plan.outside[p]]++] = static_cast<Index>(place++);
      const Index target = task[owner[plan.outside[p]]];
      if (counted_by[target] == t) continue;
      counted_by[target] = t;
      plan.need.push_back(target);
    }
    plan.need_start.push_back(static_cast<Index>(plan.need.size()));
  }
}

constexpr Index least_strips = 2;  // per piece: its sums over rows, when pulling, are w numbers

// Cuts a panel into pieces of about `entries` entries, at strips; its diagonal block also at groups
// of columns.
void cut_panel(Index w, Index h, Offset entries, BlockPlan& plan) {
  Offset filled = entries;
  Index strips = least_strips;
  for (Index k = 0; k < strip_count(w, h); ++k, ++strips) {
    if (filled >= entries && strips >= least_strips) {
      strips = 0;
      plan.by_rows.begin.push_back(k);
      plan.partial_start.push_back(plan.partial_start.back() + w);
      filled = 0;
    }
    filled += strip_of(w, h, k).size();
  }
  filled = entries;
  for (Index j = 0; j < w; j += PanelShape::strip) {
    if (filled >= entries) {
      plan.by_columns.begin.push_back(j);
      filled = 0;
    }
    filled += Offset{PanelShape::strip} * (w - j);
  }
}

void cut_panels(const SupernodeOptions& o, BlockPlan& plan) {
  const Supernodes& s = plan.supernodes;
  plan.by_rows.start.assign(1, 0);
  plan.by_columns.start.assign(1, 0);
  plan.partial_start.assign(1, 0);
  for (Index t = 0; t < plan.tasks(); ++t) {
    const Index k = plan.task_start[t];
    const bool single = plan.task_start[t + 1] - k == 1;
    if (single && plan.layout == PanelLayout::strips &&
        plan.value_start[k + 1] - plan.value_start[k] >= 2 * Offset{o.chunk_entries})
      cut_panel(s.width(plan.order[k]), s.height(plan.order[k]), o.chunk_entries, plan);
    plan.by_rows.start.push_back(static_cast<Index>(plan.by_rows.begin.size()));
    plan.by_columns.start.push_back(static_cast<Index>(plan.by_columns.begin.size()));
  }
}

// Everything that follows from the supernodes.
void lay_out_blocks(const BlockRecipe& recipe, const SupernodeOptions& o, BlockPlan& plan,
                    SupernodeReport& report) {
  const Supernodes& nodes = plan.supernodes;
  const Buffer<Index> owner = find_owners(nodes);
  const Lists sources = find_sources(nodes, owner);
  Buffer<Index> task(nodes.count());
  std::iota(task.begin(), task.end(), 0);
  if (recipe.tasks == Tasks::subtrees && o.subtree_share > 0) {
    const double share = o.subtree_share * static_cast<double>(nodes.entries());
    task = gather_subtrees(nodes, find_parents(nodes.count(), sources.first, sources.second),
                           std::max(share, 2.0 * o.chunk_entries));
  }
  number_tasks(sources, task, plan);
  lay_out(task, plan);
  find_vectors(plan);
  find_messages(owner, task, plan);
  cut_panels(o, plan);

  report.tasks = plan.tasks();
  report.task_levels = plan.levels();
  report.max_panel_columns = 0;
  for (Index t = 0; t < nodes.count(); ++t)
    report.max_panel_columns = std::max(report.max_panel_columns, nodes.width(t));
  report.explicit_zeros = nodes.entries() - report.nonzeros;
  report.stored = plan.values();
}

}  // namespace

BlockRecipe recipe_of(Method method) {
  BlockRecipe r;
  r.merges = method >= Method::merge;
  if (has_plain_panels(method)) r.layout = PanelLayout::plain;
  if (method == Method::invert_diag) r.form = BlockForm::inverse_diagonal;
  if (method >= Method::invert_off && method != Method::invert_full) r.form = BlockForm::inverse;
  if (method == Method::tree) {
    r.merging = Merging::amalgamate;
    r.tasks = Tasks::subtrees;
  }
  return r;
}

BlockPlan plan_blocks(Supernodes&& s, const BlockRecipe& recipe, const SupernodeOptions& o,
                      SupernodeReport& report) {
  report.found = s.count();
  report.levels_found = find_level_sets(s).count();
  BlockPlan plan;
  plan.n = s.n;
  plan.layout = recipe.layout;
  plan.supernodes = recipe.merges ? merge_supernodes(s, recipe.merging, o) : std::move(s);
  s = {};
  report.count = plan.supernodes.count();
  report.levels = report.count == report.found ? report.levels_found  // nothing merged
                                               : find_level_sets(plan.supernodes).count();
  if (recipe.form != BlockForm::triangle)
    plan.supernodes = split_supernodes(plan.supernodes, o.max_panel_columns);
  lay_out_blocks(recipe, o, plan, report);
  return plan;
}

BlockPlan cut_blocks(const BlockPlan& plan, std::span<const Index> first, const BlockRecipe& recipe,
                     const SupernodeOptions& o, SupernodeReport& report) {
  BlockPlan parts;
  parts.n = plan.n;
  parts.reversed = plan.reversed;
  parts.pull = plan.pull;
  parts.layout = plan.layout;
  parts.supernodes = split_supernodes(plan.supernodes, first);
  const Supernodes& s = plan.supernodes;
  for (Index t = 0; t < s.count(); ++t)
    if (*std::ranges::upper_bound(first, s.first[t]) < s.first[t + 1]) ++report.cut;
  lay_out_blocks(recipe, o, parts, report);
  return parts;
}

}  // namespace echelon
