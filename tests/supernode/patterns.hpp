// tests/supernode/patterns.hpp -- patterns of factors, and supernodes as plain sets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <vector>

#include "echelon/supernode.hpp"

namespace echelon::test {

using Sets = std::vector<std::set<Index>>;

// A partition and rows, in the plainest form there is.
struct PlainSupernodes {
  std::vector<Index> first;
  Sets rows;
  bool operator==(const PlainSupernodes&) const = default;
};
PlainSupernodes plain(const Supernodes& s);

// The columns of N in positions, straight from the definition.
Sets columns_of(const DependencyGraph& g);

// Entries of the columns that no panel has; 0 if all are covered.
Index count_uncovered(const Sets& columns, const Supernodes& s);

// A lower triangle by columns, values 1 and a diagonal; lists sorted.
Csc<double> from_columns(const Sets& columns);

// A grid of nx by ny unknowns that each touch four neighbours, in the order of nested dissection
// with separators one line wide, and all its fill.
Sets dissected_grid(Index nx, Index ny);

// The same supernodes cut into pieces of at most `max_panel_columns` columns: as a partition.
std::vector<Index> cut_supernodes(const Supernodes& s, Index max_panel_columns);

// The graph of all of N.  Looks into a's arrays.
inline DependencyGraph graph_of(const Csc<double>& a) {
  return find_dependency_graph(lower(a), Order::columns);
}

}  // namespace echelon::test
