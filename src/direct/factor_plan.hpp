// direct/factor_plan.hpp -- the plan of one triangle of a factorization, in panels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "echelon/factor.hpp"
#include "echelon/solver.hpp"
#include "echelon/tools/model.hpp"

namespace echelon {

// The plan of a factor's triangle for a supernodal method, and its size for the cost model.
struct FactorPlan {
  std::shared_ptr<const Plan> plan;
  PanelWorkload workload;
};
template <Scalar T>
FactorPlan plan_factor(const FactorTriangle<T>& factor, Method method, const Options& o,
                       SupernodeReport& report);

}  // namespace echelon
