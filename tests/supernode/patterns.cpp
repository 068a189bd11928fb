// tests/supernode/patterns.cpp -- patterns of factors, and supernodes as plain sets.
// SPDX-License-Identifier: BSD-3-Clause
#include "supernode/patterns.hpp"

#include <algorithm>

namespace echelon::test {
namespace {

// Numbers the points of a box by nested dissection: two halves, then the line between them.
struct Dissection {
  Index nx;
  std::vector<Index> number;  // by point
  Index next = 0;

  void run(Index x0, Index x1, Index y0, Index y1) {
    if (x0 >= x1 || y0 >= y1) return;
    if (x1 - x0 <= 2 && y1 - y0 <= 2) return line(x0, x1, y0, y1);
    if (x1 - x0 >= y1 - y0) {
      const Index x = (x0 + x1) / 2;
      run(x0, x, y0, y1);
      run(x + 1, x1, y0, y1);
      line(x, x + 1, y0, y1);
    } else {
      const Index y = (y0 + y1) / 2;
      run(x0, x1, y0, y);
      run(x0, x1, y + 1, y1);
      line(x0, x1, y, y + 1);
    }
  }
  void line(Index x0, Index x1, Index y0, Index y1) {
    for (Index y = y0; y < y1; ++y)
      for (Index x = x0; x < x1; ++x) number[y * nx + x] = next++;
  }
};

}  // namespace

PlainSupernodes plain(const Supernodes& s) {
  PlainSupernodes p{{s.first.begin(), s.first.end()}, {}};
  for (Index t = 0; t < s.count(); ++t) p.rows.emplace_back(s.rows(t).begin(), s.rows(t).end());
  return p;
}

Sets columns_of(const DependencyGraph& g) {
  const bool forward = (g.shape == Uplo::lower) == (g.lists == Order::columns);
  const auto position = [&](Index i) { return forward ? i : g.n - 1 - i; };
  Sets columns(static_cast<std::size_t>(g.n));
  for (Index u = 0; u < g.n; ++u)
    for (const Index i : g.list(u)) columns[position(u)].insert(position(i));
  return columns;
}

Index count_uncovered(const Sets& columns, const Supernodes& s) {
  Index uncovered = 0;
  for (Index t = 0; t < s.count(); ++t)
    for (Index j = s.first[t]; j < s.first[t + 1]; ++j)
      for (const Index i : columns[j])
        uncovered +=
            i >= s.first[t + 1] && !std::binary_search(s.rows(t).begin(), s.rows(t).end(), i);
  return uncovered;
}

Csc<double> from_columns(const Sets& columns) {
  Csc<double> a;
  a.rows = a.cols = static_cast<Index>(columns.size());
  for (Index j = 0; j < a.cols; ++j) {
    a.index.push_back(j);
    a.index.insert(a.index.end(), columns[j].begin(), columns[j].end());
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  a.value.assign(a.index.size(), 1.0);
  return a;
}

Sets dissected_grid(Index nx, Index ny) {
  Dissection d{nx, std::vector<Index>(static_cast<std::size_t>(nx * ny))};
  d.run(0, nx, 0, ny);
  Sets columns(d.number.size());
  const auto connect = [&](Index a, Index b) {
    const auto [j, i] = std::minmax(d.number[a], d.number[b]);
    columns[j].insert(i);
  };
  for (Index y = 0; y < ny; ++y)
    for (Index x = 0; x < nx; ++x) {
      if (x + 1 < nx) connect(y * nx + x, y * nx + x + 1);
      if (y + 1 < ny) connect(y * nx + x, (y + 1) * nx + x);
    }
  // Fill: a column's first row, its parent, gets all further rows of the column.
  for (auto& column : columns)
    if (!column.empty()) columns[*column.begin()].insert(std::next(column.begin()), column.end());
  return columns;
}

std::vector<Index> cut_supernodes(const Supernodes& s, Index max_panel_columns) {
  std::vector<Index> first;
  for (Index t = 0; t < s.count(); ++t)
    for (Index j = s.first[t]; j < s.first[t + 1]; j += max_panel_columns) first.push_back(j);
  first.push_back(s.n);
  return first;
}

}  // namespace echelon::test
