// direct/factor_plan.cpp -- the plan of one triangle of a factorization, in panels.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/factor_plan.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/vector_unit.hpp"

namespace echelon {

// The paper's options take the package's supernodes unchanged.  Method tree begins with the
// nonzeros alone and adds the zeros that pay.
template <Scalar T>
FactorPlan plan_factor(const FactorTriangle<T>& factor, Method method, const Options& o,
                       SupernodeReport& report) {
  auto plan = std::make_shared<Plan>();
  plan->method = method;
  plan->threads = std::min(thread_count(o.cpu.threads), Index{1024});
  plan->rhs_per_pass = std::clamp(o.cpu.rhs_per_pass, Index{1}, Index{16});
  plan->vector_unit = find_vector_unit(o.cpu.vector_unit);
  plan->cuda = o.cuda;
  report = {};
  report.nonzeros = factor.nonzeros;
  plan->blocks = plan_blocks(method == Method::tree ? exact_supernodes(factor, plan->threads)
                                                    : package_supernodes(factor, plan->threads),
                             recipe_of(method), supernode_options(o, method), report);
  const Supernodes& s = plan->blocks.supernodes;
  const PanelWorkload workload{
      s.n, factor.nonzeros, s.count(), s.entries(), static_cast<Offset>(s.row.size()), sizeof(T)};
  if (o.method == Method::automatic && o.backend == Backend::cpu)
    plan->threads = choose_threads(method, workload, plan->blocks.levels(), plan->threads);
  return {std::move(plan), workload};
}

#define ECHELON_INSTANTIATE(T)                                                      \
  template FactorPlan plan_factor(const FactorTriangle<T>&, Method, const Options&, \
                                  SupernodeReport&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
