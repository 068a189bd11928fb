// factor/ordering.hpp -- fill-reducing orderings, computed by packages.
// SPDX-License-Identifier: BSD-3-Clause
//
// An order lists the old number of each new row and column.
#pragma once

#include <vector>

#include "echelon/factor.hpp"
#include "factor/solve_cost.hpp"

namespace echelon {

// The graph of A + A^T without the diagonal; lists are sorted.
struct Adjacency {
  std::vector<Index> start = {0};  // size n+1
  std::vector<Index> index;

  Index n() const { return static_cast<Index>(start.size()) - 1; }
};

// The pattern's lists must be sorted.  Throws bad_argument if there are 2^31 neighbours or more.
Adjacency find_adjacency(const Pattern& a);

std::vector<Index> natural_order(const Adjacency& g);

// Nested dissection by METIS, and approximate minimum degree by AMD.  Throw backend_missing.
std::vector<Index> order_metis(const Adjacency& g);
std::vector<Index> order_amd(const Adjacency& g);

// The wanted ordering; the identity for natural.  `used`, if given, becomes the one that was taken,
// which is never automatic.
std::vector<Index> find_order(const Adjacency& g, Ordering wanted, Ordering* used = nullptr,
                              Backend solve_on = Backend::cpu);

// Of AMD and METIS the one whose solves should take less time, METIS if the difference is small;
// `used` says which.  If one is not in this build, the other; natural without both.
std::vector<Index> order_automatic(const Adjacency& g, Ordering& used,
                                   Backend solve_on = Backend::cpu);

// L with its diagonal if a matrix with this graph is factored symmetrically in this order.
// O(entries).
SolveCost forecast_factor(const Adjacency& g, const std::vector<Index>& order);

// An equivalent elimination order in which the columns of each subtree are consecutive: the same
// fill, and columns of equal structure become neighbours.
std::vector<Index> postorder(const Adjacency& g, const std::vector<Index>& order);

}  // namespace echelon
