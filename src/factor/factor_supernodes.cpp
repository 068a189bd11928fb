// factor/factor_supernodes.cpp -- the supernodes of a factorization's triangle.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/instantiate.hpp"
#include "echelon/factor.hpp"

namespace echelon {
namespace {

template <class T>
Supernodes supernodes_of(const Panels<T>& panels) {
  Supernodes s;
  s.n = panels.first.back();
  s.first = panels.first;
  for (Index p = 0; p < panels.count(); ++p) {
    const Index width = panels.first[p + 1] - panels.first[p];
    s.row.insert(s.row.end(), panels.row.begin() + panels.row_start[p] + width,
                 panels.row.begin() + panels.row_start[p + 1]);
    std::sort(s.row.begin() + s.row_start.back(), s.row.end());
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  return s;
}

template <class T>
DependencyGraph graph_of(const FactorTriangle<T>& factor, Index threads) {
  const Triangle<T> t =
      lower(factor.columns, {.diagonal = factor.unit_diagonal ? Diagonal::unit : Diagonal::stored});
  return find_dependency_graph(t, Order::columns, threads);
}

}  // namespace

template <Scalar T>
Supernodes package_supernodes(const FactorTriangle<T>& factor, Index threads) {
  if (factor.in_panels()) return supernodes_of(factor.panels);
  const DependencyGraph g = graph_of(factor, threads);
  return factor.supernodes.count() > 0 ? find_supernodes(g, factor.supernodes.first, threads)
                                       : find_supernodes(g, threads);
}

template <Scalar T>
Supernodes exact_supernodes(const FactorTriangle<T>& factor, Index threads) {
  if (factor.in_panels()) return factor.supernodes;
  return find_supernodes(graph_of(factor, threads), threads);
}

#define ECHELON_INSTANTIATE(T)                                             \
  template Supernodes package_supernodes(const FactorTriangle<T>&, Index); \
  template Supernodes exact_supernodes(const FactorTriangle<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
