// direct/factor_plan.cpp -- supernodes of a factorization's triangle, and the plan made of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/factor_plan.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

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

template <Scalar T>
void plan_factor(const FactorTriangle<T>& factor, Method method, const Options& o, Plan& plan,
                 SupernodeReport& report) {
  plan.method = method;
  plan.threads = std::min(thread_count(o.cpu.threads), Index{1024});
  plan.together = std::clamp(o.cpu.together, Index{1}, Index{16});
  plan.cuda = o.cuda;
  report = {};
  report.nonzeros = factor.nonzeros;
  // The paper's options take the package's supernodes as they come; ours begins with what is
  // nonzero, and adds what zeros pay for.
  plan.blocks = plan_blocks(method == Method::tree ? exact_supernodes(factor, plan.threads)
                                                   : package_supernodes(factor, plan.threads),
                            recipe_of(method), supernode_options(o, method), report);
}

#define ECHELON_INSTANTIATE(T)                                                       \
  template Supernodes package_supernodes(const FactorTriangle<T>&, Index);           \
  template Supernodes exact_supernodes(const FactorTriangle<T>&, Index);             \
  template void plan_factor(const FactorTriangle<T>&, Method, const Options&, Plan&, \
                            SupernodeReport&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
