// factor/ordering.hpp -- orderings that keep factors sparse, from the packages that find them.
// SPDX-License-Identifier: BSD-3-Clause
//
// An order lists the old number of each new row and column.
#pragma once

#include <vector>

#include "echelon/factor.hpp"

namespace echelon {

// Who is next to whom in A + A^T, without the diagonal; lists rise.
struct Adjacency {
  std::vector<Index> start = {0};  // size n+1
  std::vector<Index> index;

  Index n() const { return static_cast<Index>(start.size()) - 1; }
};

// The pattern's lists must rise.  Throws bad_argument if there are 2^31 neighbours or more.
Adjacency find_adjacency(const Pattern& a);

// Nested dissection by METIS, and approximate minimum degree by AMD.  Throw backend_missing.
std::vector<Index> order_metis(const Adjacency& g);
std::vector<Index> order_amd(const Adjacency& g);

// `wanted`, or the order as it is.
std::vector<Index> find_order(const Adjacency& g, Ordering wanted);

// The same elimination with the columns of each subtree in turn: the same fill, and columns of
// one structure become neighbours.
std::vector<Index> postorder(const Adjacency& g, const std::vector<Index>& order);

}  // namespace echelon
