// direct/factor_plan.hpp -- the plan of one triangle of a factorization, in panels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "echelon/factor.hpp"
#include "echelon/solver.hpp"
#include "echelon/tools/model.hpp"

namespace echelon {

// The plan of a factor's triangle for a supernodal method, and its size for the cost model.
struct FactorFacts {
  PanelWorkload workload;
  Index path_columns = 0;  // levels of the factor column by column
  double solve_s = 0;      // estimated time of one solve
  double setup_s = 0;      // and of its setup
  Index threads = 1;       // that pay by the estimate
};
struct FactorPlan {
  std::shared_ptr<const Plan> plan;
  FactorFacts facts;
};
// `symmetric`: the triangle stands for its conjugate transpose too.
template <Scalar T>
FactorPlan plan_factor(const FactorTriangle<T>& factor, bool symmetric, Method method,
                       const Options& o, SupernodeReport& report);

// The size of a triangle with the supernodes it comes with, or, in columns, the fundamental ones: a
// quick look before a plan is made.  O(n).
template <Scalar T>
PanelWorkload look_at(const FactorTriangle<T>& factor, Index n);

}  // namespace echelon
