// direct/factor_plan.cpp -- the plan of one triangle of a factorization, in panels.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/factor_plan.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/vector_unit.hpp"

namespace echelon {
namespace {

// Operations to invert the diagonal blocks, and to multiply the rows below with them.
double invert_flops(const Supernodes& s) {
  double flops = 0;
  for (Index t = 0; t < s.count(); ++t) {
    const double w = s.width(t), h = s.height(t);
    flops += w * w * (w / 3 + h);
  }
  return flops;
}

}  // namespace

// The paper's options take the package's supernodes unchanged.  Method tree begins with the
// nonzeros alone and adds the zeros that pay.
template <Scalar T>
FactorPlan plan_factor(const FactorTriangle<T>& factor, bool symmetric, Method method,
                       const Options& o, SupernodeReport& report) {
  auto plan = std::make_shared<Plan>();
  plan->there_and_back = symmetric;
  plan->method = method;
  plan->threads = std::min(thread_count(o.cpu.threads), Index{1024});
  plan->rhs_per_pass = std::clamp(o.cpu.rhs_per_pass, Index{1}, Index{16});
  plan->vector_unit = find_vector_unit(o.cpu.vector_unit);
  plan->cuda = o.cuda;
  report = {};
  report.nonzeros = factor.nonzeros;
  Supernodes found = method == Method::tree ? exact_supernodes(factor, plan->threads)
                                            : package_supernodes(factor, plan->threads);
  const Index path_columns = find_path_columns(found);
  plan->blocks =
      plan_blocks(std::move(found), recipe_of(method), supernode_options(o, method), report);
  const Supernodes& s = plan->blocks.supernodes;
  const PanelWorkload workload{
      s.n, factor.nonzeros, s.count(), s.entries(), static_cast<Offset>(s.row.size()), sizeof(T)};
  const Index levels = plan->blocks.levels();
  const Index threads = o.method == Method::automatic && o.backend == Backend::cpu
                            ? choose_threads(method, workload, levels, plan->threads)
                            : plan->threads;
  if (!(o.measures() && worth_timing_threads(method, workload))) plan->threads = threads;
  const double solve_s = estimate_solve(method, workload, levels, plan->threads, o.backend);
  const double setup_s =
      estimate_setup(workload, invert_flops(s), thread_count(o.cpu.threads), o.backend);
  return {std::move(plan), {workload, path_columns, solve_s, setup_s, threads}};
}

// Columns j-1 and j are in one fundamental supernode if the first row below j-1 is j, and all its
// other rows are those of j: then there is one less.
template <Scalar T>
PanelWorkload look_at(const FactorTriangle<T>& factor, Index n) {
  PanelWorkload w{n, factor.nonzeros, 0, factor.nonzeros, 0, sizeof(T)};
  if (factor.in_panels()) {
    w.supernodes = factor.panels.count();
    w.rows = static_cast<Offset>(factor.panels.row.size()) - n;
    return w;
  }
  const Csc<T>& a = factor.columns;
  const Index diagonal = factor.unit_diagonal ? 0 : 1;
  for (Index j = 0; j < n; ++j) {
    const Offset below = a.start[j + 1] - a.start[j] - diagonal;
    const bool goes_on = j > 0 && a.start[j] - a.start[j - 1] - diagonal == below + 1 &&
                         a.index[a.start[j - 1] + diagonal] == j;
    if (goes_on) w.rows -= below + 1;  // of the column before: this one is the last so far
    w.rows += below;
    w.supernodes += goes_on ? 0 : 1;
  }
  return w;
}

#define ECHELON_INSTANTIATE(T)                                                            \
  template FactorPlan plan_factor(const FactorTriangle<T>&, bool, Method, const Options&, \
                                  SupernodeReport&);                                      \
  template PanelWorkload look_at(const FactorTriangle<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
