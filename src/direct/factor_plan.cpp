// direct/factor_plan.cpp -- the plan of a factorization's triangle.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/factor_plan.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/vector_unit.hpp"

namespace echelon {
template <Scalar T>
void plan_factor(const FactorTriangle<T>& factor, Method method, const Options& o, Plan& plan,
                 SupernodeReport& report) {
  plan.method = method;
  plan.threads = std::min(thread_count(o.cpu.threads), Index{1024});
  plan.rhs_per_pass = std::clamp(o.cpu.rhs_per_pass, Index{1}, Index{16});
  plan.vector_unit = find_vector_unit(o.cpu.vector_unit);
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
  template void plan_factor(const FactorTriangle<T>&, Method, const Options&, Plan&, \
                            SupernodeReport&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
