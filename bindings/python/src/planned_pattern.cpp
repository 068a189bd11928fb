// bindings/python/src/planned_pattern.cpp -- the pattern of a planned triangle: counted in cells,
// or its panels as rectangles.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "planned.hpp"

namespace echelon::python {
namespace {

// Adds entries to cells.
class Counter {
 public:
  Counter(Index n, Index most) : n_(std::max(n, Index{1})) {
    cells_.size = std::min(n_, most);
    cells_.count.assign(static_cast<std::size_t>(cells_.size) * cells_.size, 0);
    cells_.level.assign(cells_.count.size(), 0);
  }
  Index cell(Index i) const { return static_cast<Index>(Offset{i} * cells_.size / n_); }
  // The first index of a cell.
  Index first(Index cell) const {
    return static_cast<Index>((Offset{cell} * n_ + cells_.size - 1) / cells_.size);
  }
  void add(Index row_cell, Index col_cell, double entries, Index level) {
    const auto k = static_cast<std::size_t>(Offset{row_cell} * cells_.size + col_cell);
    cells_.count[k] += static_cast<float>(entries);
    cells_.level[k] += static_cast<float>(entries) * static_cast<float>(level);
  }
  Cells take() && {
    for (std::size_t k = 0; k < cells_.count.size(); ++k)
      if (cells_.count[k] > 0) cells_.level[k] /= cells_.count[k];
    return std::move(cells_);
  }

 private:
  Index n_;
  Cells cells_;
};

void count_rows(const PackedPattern& p, const WorkGraph& g, Counter& c) {
  for (Index k = 0; k < p.n; ++k) {
    const Index i = p.order[k], own = c.cell(i);
    if (!p.diagonal.empty()) c.add(own, own, 1, g.level[i]);
    for (Offset e = p.start[k]; e < p.start[k + 1]; ++e) {
      const Index j = p.index[e], other = c.cell(j);
      p.lists == Order::rows ? c.add(own, other, 1, g.level[i]) : c.add(other, own, 1, g.level[j]);
    }
  }
}

// Ranges of rows and columns of N, in positions, as those of M.
struct Turned {
  const BlockPlan& plan;
  bool transposed;

  struct Range {
    Index begin, end;
  };
  Range unknowns(Range r) const {
    return plan.reversed ? Range{plan.n - r.end, plan.n - r.begin} : r;
  }
  template <class Body>
  void operator()(Range rows, Range cols, const Body& body) const {
    if (transposed) std::swap(rows, cols);
    body(unknowns(rows), unknowns(cols));
  }
};

// Calls body(rows, columns, level) for the triangle of each panel and for each run of rows below.
template <class Body>
void for_each_rectangle(const Planned& t, const WorkGraph& g, const Body& body) {
  const BlockPlan& plan = t.plan.blocks;
  const Supernodes& s = plan.supernodes;
  const Turned turned{plan, t.backwards()};
  for (Index task = 0; task < plan.tasks(); ++task)
    for (Index k = plan.task_start[task]; k < plan.task_start[task + 1]; ++k) {
      const Index member = plan.order[k];
      const Turned::Range cols{s.first[member], s.first[member + 1]};
      const auto call = [&](Turned::Range rows) {
        turned(rows, cols, [&](auto r, auto c) { body(r, c, g.level[task]); });
      };
      call(cols);
      const auto rows = s.rows(member);
      for (std::size_t a = 0, b = 0; a < rows.size(); a = b) {
        for (b = a + 1; b < rows.size() && rows[b] == rows[b - 1] + 1;) ++b;
        call({rows[a], rows[b - 1] + 1});
      }
    }
}

// A rectangle touches few cells where n is large.
void count_panels(const Planned& t, const WorkGraph& g, Counter& c) {
  for_each_rectangle(t, g, [&](const auto& rows, const auto& cols, Index level) {
    const bool diagonal = rows.begin == cols.begin;
    const bool lower = t.plan.blocks.reversed == t.backwards();
    const auto overlap = [&](const auto& range, Index cell) -> double {
      return std::min(range.end, c.first(cell + 1)) - std::max(range.begin, c.first(cell));
    };
    for (Index i = c.cell(rows.begin); i <= c.cell(rows.end - 1); ++i)
      for (Index j = c.cell(cols.begin); j <= c.cell(cols.end - 1); ++j) {
        const double height = overlap(rows, i);
        if (diagonal && i == j)
          c.add(i, j, height * (height + 1) / 2, level);
        else if (!diagonal || (i > j) == lower)
          c.add(i, j, height * overlap(cols, j), level);
      }
  });
}

}  // namespace

Cells find_cells(const Planned& t, const WorkGraph& g, Index most) {
  Counter counter(t.n(), most);
  if (t.in_panels())
    count_panels(t, g, counter);
  else
    count_rows(t.plan.pattern, g, counter);
  return std::move(counter).take();
}

Rectangles find_rectangles(const Planned& t, const WorkGraph& g, std::size_t most) {
  Rectangles all;
  if (!t.in_panels()) return all;
  for_each_rectangle(t, g, [&](const auto& rows, const auto& cols, Index level) {
    if (all.row.size() > most) return;
    all.row.push_back(rows.begin);
    all.col.push_back(cols.begin);
    all.height.push_back(rows.end - rows.begin);
    all.width.push_back(cols.end - cols.begin);
    all.level.push_back(level);
  });
  return all.row.size() > most ? Rectangles{} : all;
}

}  // namespace echelon::python
