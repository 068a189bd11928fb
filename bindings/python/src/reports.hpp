// bindings/python/src/reports.hpp -- reports as dictionaries with the names of their C++ fields.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arrays.hpp"
#include "echelon/batch.hpp"
#include "echelon/direct.hpp"
#include "echelon/smoother.hpp"
#include "echelon/solver.hpp"

namespace echelon::python {

nb::dict to_dict(const AnalysisReport& r);
nb::dict to_dict(const SolverReport& r);
nb::dict to_dict(const DirectReport& r);
nb::dict to_dict(const GaussSeidelReport& r);
nb::dict to_dict(const BatchReport& r);

}  // namespace echelon::python
