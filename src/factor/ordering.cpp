// factor/ordering.cpp -- makes the graph for orderings, and calls the chosen one.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/ordering.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace echelon {
namespace {

// The transposed lists, sorted.
Adjacency transpose(const Pattern& a) {
  Adjacency t;
  t.start.assign(static_cast<std::size_t>(a.width()) + 1, 0);
  t.index.resize(a.index.size());
  for (const Index i : a.index) ++t.start[i + 1];
  std::partial_sum(t.start.begin(), t.start.end(), t.start.begin());
  std::vector<Index> next(t.start.begin(), t.start.end() - 1);
  for (Index k = 0; k < a.lists(); ++k)
    for (const Index i : a.list(k)) t.index[next[i]++] = k;
  return t;
}

void check_size(const Pattern& a) {
  if (a.nonzeros() > std::numeric_limits<Index>::max() / 2)
    throw Error(ErrorCode::bad_argument,
                "an ordering takes at most 2^30 entries, and the matrix "
                "has " +
                    std::to_string(a.nonzeros()));
}

}  // namespace

Adjacency find_adjacency(const Pattern& a) {
  check_size(a);
  const Adjacency t = transpose(a);
  Adjacency g;
  g.start.reserve(t.start.size());
  g.index.reserve(a.index.size());
  for (Index k = 0; k < a.lists(); ++k) {
    const auto list = a.list(k);
    std::set_union(list.begin(), list.end(), t.index.begin() + t.start[k],
                   t.index.begin() + t.start[k + 1], std::back_inserter(g.index));
    const auto added = g.index.begin() + g.start.back();
    g.index.erase(std::remove(added, g.index.end(), k), g.index.end());
    g.start.push_back(static_cast<Index>(g.index.size()));
  }
  return g;
}

std::vector<Index> natural_order(const Adjacency& g) {
  std::vector<Index> order(static_cast<std::size_t>(g.n()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<Index> find_order(const Adjacency& g, Ordering wanted, Ordering* used,
                              Backend solve_on) {
  Ordering ignored;
  Ordering& taken = used != nullptr ? *used : ignored;
  taken = wanted;
  switch (wanted) {
    case Ordering::automatic:
      return order_automatic(g, taken, solve_on);
    case Ordering::metis:
      return order_metis(g);
    case Ordering::amd:
      return order_amd(g);
    case Ordering::natural:
      break;
  }
  return natural_order(g);
}

}  // namespace echelon
