// direct/factor_plan.hpp -- one triangle of a factorization made ready to be solved with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/executor.hpp"
#include "echelon/factor.hpp"
#include "echelon/solver.hpp"
#include "echelon/tools/model.hpp"

namespace echelon {

// The plan of a factor's triangle for a supernodal method.
template <Scalar T>
void plan_factor(const FactorTriangle<T>& factor, Method method, const Options& o, Plan& plan,
                 SupernodeReport& report);

}  // namespace echelon
