// factor/paired_order.cpp -- an elimination order in which no pivot is zero because of the pattern.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  In a saddle point matrix many diagonal entries are zero, and an unknown z with such an
// entry cannot be eliminated before a neighbour.  Each z gets a partner v of its own: a neighbour
// with a nonzero diagonal entry, from a maximum matching that tries large entries first.  Each pair
// becomes one node of the graph.  The smaller graph is ordered, and a pair is eliminated as v, z:
// the pivot of z is then -|a_zv|^2 / a_vv plus what others added.
//
// The pivot of v may still be small.  So factors in this order are checked (check_factors.hpp).
#include "factor/paired_order.hpp"

#include <algorithm>
#include <numeric>

#include "base/instantiate.hpp"
#include "factor/ordering.hpp"
#include "factor/structural_rank.hpp"

namespace echelon {
namespace {

template <class T>
std::vector<Real<T>> diagonal_sizes(const MatrixView<T>& a) {
  std::vector<Real<T>> size(static_cast<std::size_t>(a.cols), 0);
  for (Index k = 0; k < a.lists(); ++k)
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p)
      if (a.index[p] == k) size[k] = std::abs(a.value[p]);
  return size;
}

// For each unknown with a zero diagonal entry, its possible partners, the best first; the lists of
// other unknowns are empty.
struct Partners {
  std::vector<Offset> start = {0};
  std::vector<Index> index;
};

template <class T>
Partners list_partners(const MatrixView<T>& a, const std::vector<Real<T>>& diagonal) {
  Partners out;
  std::vector<std::pair<Real<T>, Index>> list;
  for (Index z = 0; z < a.cols; ++z) {
    list.clear();
    if (diagonal[z] == 0)
      for (Offset p = a.start[z]; p < a.start[z + 1]; ++p) {
        const Index v = a.index[p];
        const Real<T> size = std::min<Real<T>>(std::abs(a.value[p]), diagonal[v]);
        if (size > 0) list.push_back({-size, v});
      }
    std::sort(list.begin(), list.end());
    for (const auto& [size, v] : list) out.index.push_back(v);
    out.start.push_back(static_cast<Offset>(out.index.size()));
  }
  return out;
}

// The graph with each pair as one node.  node[i] is the new number of unknown i.
Adjacency merge_pairs(const Adjacency& g, const std::vector<Index>& node, Index count) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(count));
  for (Index i = 0; i < g.n(); ++i) members[node[i]].push_back(i);
  Adjacency merged;
  for (Index k = 0; k < count; ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(merged.index.size());
    for (const Index i : members[k])
      for (Index p = g.start[i]; p < g.start[i + 1]; ++p)
        if (node[g.index[p]] != k) merged.index.push_back(node[g.index[p]]);
    std::sort(merged.index.begin() + begin, merged.index.end());
    merged.index.erase(std::unique(merged.index.begin() + begin, merged.index.end()),
                       merged.index.end());
    merged.start.push_back(static_cast<Index>(merged.index.size()));
  }
  return merged;
}

}  // namespace

template <Scalar T>
std::vector<Index> find_paired_order(const MatrixView<T>& a, const FactorOptions& o,
                                     Ordering& used) {
  const std::vector<Real<T>> diagonal = diagonal_sizes(a);
  const Partners partners = list_partners(a, diagonal);
  const std::vector<Index> partner =
      match_rows({Order::columns, a.rows, a.cols, partners.start, partners.index});
  std::vector<Index> node(diagonal.size(), -1), second;  // second: z of the node, or -1
  std::vector<Index> first;
  for (Index z = 0; z < a.cols; ++z) {
    if (diagonal[z] != 0) continue;
    if (partner[z] < 0) return {};
    node[z] = node[partner[z]] = static_cast<Index>(first.size());
    first.push_back(partner[z]);
    second.push_back(z);
  }
  for (Index i = 0; i < a.cols; ++i) {
    if (node[i] >= 0) continue;
    node[i] = static_cast<Index>(first.size());
    first.push_back(i);
    second.push_back(-1);
  }
  const Adjacency g = merge_pairs(find_adjacency(a), node, static_cast<Index>(first.size()));
  std::vector<Index> order;
  for (const Index k : find_order(g, o.order, &used, o.solve_on)) {
    order.push_back(first[k]);
    if (second[k] >= 0) order.push_back(second[k]);
  }
  return order;
}

#define ECHELON_INSTANTIATE(T)                                                              \
  template std::vector<Index> find_paired_order(const MatrixView<T>&, const FactorOptions&, \
                                                Ordering&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
