// factor/postorder.cpp -- reorders an elimination so that the columns of each subtree are
// consecutive.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The elimination tree by Liu's algorithm: column k becomes the parent of every root that
// is reached from an earlier neighbour, with path compression.  Then a stack walks the tree,
// children in rising order, parents after them.
//
// Reference.  Liu, ACM Trans. Math. Softw. 12 (1986), 127-148.
#include <algorithm>

#include "factor/ordering.hpp"

namespace echelon {
namespace {

std::vector<Index> find_parents(const Adjacency& g, const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (Index k = 0; k < g.n(); ++k) position[order[k]] = k;
  std::vector<Index> parent(order.size(), -1), ancestor(order.size(), -1);
  for (Index k = 0; k < g.n(); ++k) {
    for (Index p = g.start[order[k]]; p < g.start[order[k] + 1]; ++p) {
      Index root = position[g.index[p]];
      while (root < k && root >= 0) {
        const Index above = ancestor[root];
        ancestor[root] = k;
        if (above < 0) parent[root] = k;
        root = above;
      }
    }
  }
  return parent;
}

}  // namespace

std::vector<Index> postorder(const Adjacency& g, const std::vector<Index>& order) {
  const Index n = g.n();
  const std::vector<Index> parent = find_parents(g, order);
  // Children as sorted linked lists; node n is the parent of all roots.
  std::vector<Index> child(order.size() + 1, -1), sibling(order.size(), -1);
  for (Index k = n - 1; k >= 0; --k) {
    const Index above = parent[k] < 0 ? n : parent[k];
    sibling[k] = child[above];
    child[above] = k;
  }
  std::vector<Index> result, stack{n};
  result.reserve(order.size());
  while (!stack.empty()) {
    const Index node = stack.back();
    if (child[node] >= 0) {
      stack.push_back(child[node]);
      child[node] = sibling[child[node]];
    } else {
      if (node < n) result.push_back(order[node]);
      stack.pop_back();
    }
  }
  return result;
}

}  // namespace echelon
