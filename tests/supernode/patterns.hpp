// tests/supernode/patterns.hpp -- patterns of factors, and supernodes as plain sets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <vector>

#include "echelon/supernode.hpp"

namespace echelon::test {

using Sets = std::vector<std::set<Index>>;

// A partition and its rows, as plain sets.
struct PlainSupernodes {
  std::vector<Index> first;
  Sets rows;
  bool operator==(const PlainSupernodes&) const = default;
};
PlainSupernodes plain(const Supernodes& s);

// The columns of N by position, straight from the definition.
Sets columns_of(const DependencyGraph& g);

// The number of entries that no panel contains; 0 if all are covered.
Index count_uncovered(const Sets& columns, const Supernodes& s);

// A lower triangle by columns, values 1 and a diagonal; lists sorted.
Csc<double> from_columns(const Sets& columns);

// A grid of nx by ny unknowns with four neighbours each, in nested dissection order with separators
// one line wide, including all fill.
Sets dissected_grid(Index nx, Index ny);

// The same supernodes split into pieces of at most `max_panel_columns` columns, as a partition.
std::vector<Index> cut_supernodes(const Supernodes& s, Index max_panel_columns);

// The graph of all of N.  Refers to a's arrays.
inline DependencyGraph graph_of(const Csc<double>& a) {
  return find_dependency_graph(lower(a), Order::columns);
}

}  // namespace echelon::test
