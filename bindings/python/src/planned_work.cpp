// bindings/python/src/planned_work.cpp -- the work of a plan by level, and its critical path.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Nodes are finished in an order that respects the dependencies.  Each keeps the length of
// the longest chain that ends at it, in entries, and its predecessor there.
#include <algorithm>

#include "echelon/tools/estimate.hpp"
#include "planned.hpp"

namespace echelon::python {
namespace {

class Chains {
 public:
  explicit Chains(WorkGraph& g) : g_(g), best_(g.entries.size(), 0), before_(g.entries.size(), -1) {
    g.level.assign(g.entries.size(), 0);
  }
  // The chain to `from` is final.
  void relax(Index from, Index to) {
    g_.level[to] = std::max(g_.level[to], g_.level[from] + 1);
    if (best_[from] + g_.entries[from] <= best_[to]) return;
    best_[to] = best_[from] + g_.entries[from];
    before_[to] = from;
  }
  void finish() {
    Index last = -1;
    for (Index k = 0; k < g_.nodes(); ++k) {
      g_.levels = std::max(g_.levels, g_.level[k] + 1);
      if (last == -1 || best_[k] + g_.entries[k] > best_[last] + g_.entries[last]) last = k;
    }
    for (; last != -1; last = before_[last]) g_.path.push_back(last);
    std::reverse(g_.path.begin(), g_.path.end());
  }

 private:
  WorkGraph& g_;
  Buffer<double> best_;   // entries of the longest chain before each node
  Buffer<Index> before_;  // the last node of that chain
};

// Nodes are unknowns; those of an upper triangle are finished from the last to the first.
WorkGraph work_of_rows(const Planned& t) {
  const PackedPattern& p = t.plan.pattern;
  const bool by_rows = p.lists == Order::rows;
  WorkGraph g;
  Buffer<Index> at(p.n);  // position of each unknown
  for (Index k = 0; k < p.n; ++k) at[p.order[k]] = k;
  g.rows.assign(p.n, 1);
  g.entries.resize(p.n);
  g.bytes.resize(p.n);
  bool ascending = true;
  for (Index i = 0; i < p.n; ++i) {
    const Offset begin = p.start[at[i]], count = p.start[at[i] + 1] - begin;
    g.entries[i] = static_cast<double>(count + (p.diagonal.empty() ? 0 : 1));
    g.bytes[i] = RowFacts{.n = 1, .nonzeros = count, .value_bytes = t.value_bytes}.bytes();
    if (count > 0) ascending = (p.index[begin] < i) == by_rows;
  }
  Chains chains(g);
  for (Index s = 0; s < p.n; ++s) {
    const Index i = ascending ? s : p.n - 1 - s;
    for (Offset e = p.start[at[i]]; e < p.start[at[i] + 1]; ++e)
      by_rows ? chains.relax(p.index[e], i) : chains.relax(i, p.index[e]);
  }
  chains.finish();
  return g;
}

WorkGraph work_of_tasks(const Planned& t) {
  const BlockPlan& plan = t.plan.blocks;
  const Supernodes& s = plan.supernodes;
  WorkGraph g;
  for (Index task = 0; task < plan.tasks(); ++task) {
    PanelFacts facts{.n = plan.own[task], .value_bytes = t.value_bytes};
    for (Index k = plan.task_start[task]; k < plan.task_start[task + 1]; ++k) {
      facts.entries += s.entries(plan.order[k]);
      facts.rows += s.height(plan.order[k]);
    }
    g.rows.push_back(facts.n);
    g.entries.push_back(static_cast<double>(facts.entries));
    g.bytes.push_back(facts.bytes());
  }
  Chains chains(g);
  for (Index task = 0; task < plan.tasks(); ++task)
    for (Index p = plan.need_start[task]; p < plan.need_start[task + 1]; ++p)
      chains.relax(task, plan.need[p]);
  chains.finish();
  if (!t.backwards()) return g;
  for (Index& l : g.level) l = g.levels - 1 - l;
  std::reverse(g.path.begin(), g.path.end());
  return g;
}

}  // namespace

WorkGraph find_work(const Planned& t) { return t.in_panels() ? work_of_tasks(t) : work_of_rows(t); }

LevelFacts find_level_facts(const WorkGraph& g) {
  LevelFacts f;
  for (Buffer<double>* a : {&f.nodes, &f.rows, &f.entries, &f.bytes, &f.path})
    a->assign(static_cast<std::size_t>(g.levels), 0);
  for (Index k = 0; k < g.nodes(); ++k) {
    const Index l = g.level[k];
    ++f.nodes[l];
    f.rows[l] += g.rows[k];
    f.entries[l] += g.entries[k];
    f.bytes[l] += g.bytes[k];
  }
  for (const Index k : g.path) f.path[g.level[k]] += g.entries[k];
  return f;
}

}  // namespace echelon::python
