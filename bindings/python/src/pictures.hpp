// bindings/python/src/pictures.hpp -- the pictures of a solver, for each class of the extension.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/direct.hpp"
#include "echelon/smoother.hpp"
#include "echelon/solver.hpp"
#include "page.hpp"
#include "planned.hpp"

namespace echelon::python {

template <Scalar T>
Planned planned_of(const Solver<T>& s, bool) {
  return {s.analysis().plan(), false, s.report().backend, sizeof(T)};
}

template <Scalar T>
Planned planned_of(const DirectSolver<T>& s, bool lower) {
  const FactorTrianglePlan t = s.plan(lower ? Uplo::lower : Uplo::upper);
  return {t.plan, t.op != Op::none, s.report().backend, sizeof(T)};
}

template <Scalar T>
Planned planned_of(const GaussSeidel<T>& s, bool lower) {
  const std::vector<Analysis>& sides = s.analysis().triangles();
  const Analysis& side = lower ? sides.front() : sides.back();
  if ((side.shape() == Uplo::lower) != lower)
    refuse(std::string("a ") + name(s.report().direction) + " sweep does not solve with the " +
           (lower ? "lower" : "upper") + " triangle");
  return {side.plan(), false, side.report().backend, sizeof(T)};
}

// Self::solver() is one of these.
template <class Self, class Class>
void bind_pictures(Class& c) {
  c.def("picture",
        [](const Self& self, const std::string& what, bool lower, Index most) {
          return picture_data(what, planned_of(self.solver(), lower), most);
        })
      .def("add_pictures",
           [](const Self& self, HtmlPage& page, bool lower, const std::string& title) {
             add_pictures(page, planned_of(self.solver(), lower), title);
           });
}

}  // namespace echelon::python
