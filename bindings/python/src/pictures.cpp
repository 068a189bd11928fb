// bindings/python/src/pictures.cpp -- the data of pictures as dictionaries of arrays.
// SPDX-License-Identifier: BSD-3-Clause
#include "numpy.hpp"
#include "planned.hpp"

namespace echelon::python {
namespace {

nb::dict levels_of(const Planned& t) {
  const WorkGraph g = find_work(t);
  LevelFacts f = find_level_facts(g);
  nb::dict d;
  d["nodes"] = to_numpy(std::move(f.nodes));
  d["rows"] = to_numpy(std::move(f.rows));
  d["entries"] = to_numpy(std::move(f.entries));
  d["bytes"] = to_numpy(std::move(f.bytes));
  d["path"] = to_numpy(std::move(f.path));
  return d;
}

nb::dict cells_of(const Planned& t, Index most) {
  const WorkGraph g = find_work(t);
  Cells c = find_cells(t, g, most);
  nb::dict d;
  d["size"] = c.size;
  d["count"] = to_numpy(std::move(c.count));
  d["level"] = to_numpy(std::move(c.level));
  d["levels"] = g.levels;
  return d;
}

nb::dict rectangles_of(const Planned& t, Index most) {
  Rectangles r = find_rectangles(t, find_work(t), static_cast<std::size_t>(most));
  nb::dict d;
  d["row"] = to_numpy(std::move(r.row));
  d["col"] = to_numpy(std::move(r.col));
  d["height"] = to_numpy(std::move(r.height));
  d["width"] = to_numpy(std::move(r.width));
  d["level"] = to_numpy(std::move(r.level));
  return d;
}

nb::dict spans_of(const Planned& t) {
  Spans s = simulate_threads(t);
  nb::dict d;
  d["thread"] = to_numpy(std::move(s.thread));
  d["group"] = to_numpy(std::move(s.group));
  d["begin"] = to_numpy(std::move(s.begin));
  d["end"] = to_numpy(std::move(s.end));
  d["threads"] = t.plan.threads;
  d["work"] = s.work;
  d["end_of_all"] = s.end_of_all;
  return d;
}

// The tasks of supernodes, and which waits for which; empty for a plan without them.
nb::dict tasks_of(const Planned& t) {
  nb::dict d;
  if (!t.in_panels()) return d;
  const BlockPlan& plan = t.plan.blocks;
  WorkGraph g = find_work(t);
  Buffer<Index> from, to, panels, shared, on_path(g.level.size(), 0);
  for (Index k = 0; k < plan.tasks(); ++k) {
    panels.push_back(plan.task_start[k + 1] - plan.task_start[k]);
    shared.push_back(plan.by_rows.start.empty() || !plan.by_rows.shared(k) ? 0 : 1);
    for (Index p = plan.need_start[k]; p < plan.need_start[k + 1]; ++p) {
      from.push_back(t.backwards() ? plan.need[p] : k);
      to.push_back(t.backwards() ? k : plan.need[p]);
    }
  }
  for (const Index k : g.path) on_path[k] = 1;
  d["level"] = to_numpy(std::move(g.level));
  d["rows"] = to_numpy(std::move(g.rows));
  d["entries"] = to_numpy(std::move(g.entries));
  d["panels"] = to_numpy(std::move(panels));
  d["shared"] = to_numpy(std::move(shared));
  d["path"] = to_numpy(std::move(on_path));
  d["from"] = to_numpy(std::move(from));
  d["to"] = to_numpy(std::move(to));
  return d;
}

}  // namespace

nb::dict picture_data(const std::string& what, const Planned& t, Index most) {
  if (what == "levels") return levels_of(t);
  if (what == "cells") return cells_of(t, most);
  if (what == "rectangles") return rectangles_of(t, most);
  if (what == "spans") return spans_of(t);
  if (what == "tasks") return tasks_of(t);
  refuse("there is no picture '" + what + "'");
}

}  // namespace echelon::python
