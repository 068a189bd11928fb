// bindings/c/report.cpp -- the list of fields of each report.
// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include "echelon/tools/near_names.hpp"

namespace echelon::c {

std::string FieldFinder::result(double* number) const {
  if (!found_) {
    const std::vector<std::string> near = near_names(name_, names_);
    refuse("the report has no field '" + name_ + "'; it has " +
           join_names(near.empty() ? names_ : near));
  }
  if (number != nullptr) {
    if (!is_number_) refuse("field '" + name_ + "' is the word '" + text_ + "', not a number");
    *number = number_;
  }
  return text_;
}

// One line per field; the names are those of C++.
#define ECHELON_FIELD(x) field(prefix + #x, r.x)

void FieldFinder::visit_supernodes(const std::string& prefix, const SupernodeReport& r) {
  FieldFinder& field = *this;
  ECHELON_FIELD(found);
  ECHELON_FIELD(count);
  ECHELON_FIELD(levels_found);
  ECHELON_FIELD(levels);
  ECHELON_FIELD(tasks);
  ECHELON_FIELD(task_levels);
  ECHELON_FIELD(max_panel_columns);
  ECHELON_FIELD(cut);
  ECHELON_FIELD(nonzeros);
  ECHELON_FIELD(explicit_zeros);
  ECHELON_FIELD(stored);
}

void visit_report(const SolverReport& r, FieldFinder& field) {
  const std::string prefix;
  ECHELON_FIELD(n);
  ECHELON_FIELD(nnz);
  ECHELON_FIELD(levels);
  ECHELON_FIELD(average_parallelism);
  ECHELON_FIELD(method);
  ECHELON_FIELD(reason);
  ECHELON_FIELD(backend);
  ECHELON_FIELD(vector_unit);
  ECHELON_FIELD(threads);
  ECHELON_FIELD(supersteps);
  ECHELON_FIELD(predicted_speedup);
  ECHELON_FIELD(supernodes);
  ECHELON_FIELD(plan_bytes);
  ECHELON_FIELD(analysis_s);
  ECHELON_FIELD(setup_s);
  ECHELON_FIELD(bytes);
  ECHELON_FIELD(workspace_bytes);
  ECHELON_FIELD(device_bytes);
  ECHELON_FIELD(uninverted_blocks);
  ECHELON_FIELD(launches);
}

void visit_report(const DirectReport& r, FieldFinder& field) {
  const std::string prefix;
  ECHELON_FIELD(n);
  ECHELON_FIELD(nnz);
  ECHELON_FIELD(package);
  ECHELON_FIELD(kind);
  ECHELON_FIELD(ordering);
  ECHELON_FIELD(factor_reason);
  ECHELON_FIELD(refine_steps);
  ECHELON_FIELD(method);
  ECHELON_FIELD(upper_method);
  ECHELON_FIELD(reason);
  ECHELON_FIELD(backend);
  ECHELON_FIELD(vector_unit);
  ECHELON_FIELD(threads);
  ECHELON_FIELD(lower);
  ECHELON_FIELD(upper);
  ECHELON_FIELD(symmetric_storage);
  ECHELON_FIELD(low_precision);
  ECHELON_FIELD(uninverted_blocks);
  ECHELON_FIELD(largest_growth);
  ECHELON_FIELD(bytes);
  ECHELON_FIELD(lower_bytes);
  ECHELON_FIELD(upper_bytes);
  ECHELON_FIELD(stored_bytes);
  ECHELON_FIELD(lower_launches);
  ECHELON_FIELD(upper_launches);
  ECHELON_FIELD(workspace_bytes);
  ECHELON_FIELD(device_bytes);
  ECHELON_FIELD(analysis_s);
  ECHELON_FIELD(setup_s);
}

void visit_report(const GaussSeidelReport& r, FieldFinder& field) {
  const std::string prefix;
  ECHELON_FIELD(n);
  ECHELON_FIELD(nnz);
  ECHELON_FIELD(symmetric_pattern);
  ECHELON_FIELD(direction);
  ECHELON_FIELD(form);
  ECHELON_FIELD(method);
  ECHELON_FIELD(vectors);
  ECHELON_FIELD(reason);
  ECHELON_FIELD(plan_bytes);
  ECHELON_FIELD(analysis_s);
  ECHELON_FIELD(setup_s);
  ECHELON_FIELD(bytes);
  ECHELON_FIELD(workspace_bytes);
  field("levels", r.levels());
  field("flops", r.flops());
}

void visit_report(const BatchReport& r, FieldFinder& field) {
  const std::string prefix;
  ECHELON_FIELD(n);
  ECHELON_FIELD(nnz);
  ECHELON_FIELD(count);
  ECHELON_FIELD(form);
  ECHELON_FIELD(reason);
  ECHELON_FIELD(width);
  ECHELON_FIELD(backend);
  ECHELON_FIELD(vector_unit);
  ECHELON_FIELD(threads);
  ECHELON_FIELD(plan_bytes);
  ECHELON_FIELD(analysis_s);
  ECHELON_FIELD(setup_s);
  ECHELON_FIELD(bytes);
  ECHELON_FIELD(workspace_bytes);
  ECHELON_FIELD(device_bytes);
  ECHELON_FIELD(refused);
}

#undef ECHELON_FIELD

}  // namespace echelon::c
