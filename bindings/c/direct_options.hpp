// bindings/c/direct_options.hpp -- options of a solver that factors first.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/direct.hpp"
#include "settings.hpp"

namespace echelon::c {

// The names of the solver's options as they are, and those of the factorization after "factor.".
template <class SolverOptions>
struct FactoringOptions {
  SolverOptions solver;
  FactorOptions factor;

  template <class Visitor>
  void visit(Visitor&& v) {
    solver.visit(v);
    v("factor", factor, "");
  }
};
using DirectOptions = FactoringOptions<Options>;

inline std::string package_given(const char* package) {
  if (package == nullptr)
    refuse("the package to factor with is NULL; here it is " + join_names(factor_packages()));
  return package;
}

}  // namespace echelon::c
