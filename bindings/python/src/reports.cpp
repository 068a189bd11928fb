// bindings/python/src/reports.cpp -- reports as dictionaries with the names of their C++ fields.
// SPDX-License-Identifier: BSD-3-Clause
#include "reports.hpp"

namespace echelon::python {
namespace {

nb::dict to_dict(const SupernodeReport& r) {
  nb::dict d;
  d["found"] = r.found;
  d["count"] = r.count;
  d["levels_found"] = r.levels_found;
  d["levels"] = r.levels;
  d["tasks"] = r.tasks;
  d["task_levels"] = r.task_levels;
  d["max_panel_columns"] = r.max_panel_columns;
  d["cut"] = r.cut;
  d["nonzeros"] = r.nonzeros;
  d["explicit_zeros"] = r.explicit_zeros;
  d["stored"] = r.stored;
  return d;
}

}  // namespace

nb::dict to_dict(const AnalysisReport& r) {
  nb::dict d;
  d["n"] = r.n;
  d["nnz"] = r.nnz;
  d["method"] = name(r.method);
  d["reason"] = r.reason;
  d["backend"] = name(r.backend);
  d["vector_unit"] = name(r.vector_unit);
  d["threads"] = r.threads;
  d["levels"] = r.levels;
  d["average_parallelism"] = r.average_parallelism;
  d["supersteps"] = r.supersteps;
  d["predicted_speedup"] = r.predicted_speedup;
  if (is_supernodal(r.method)) d["supernodes"] = to_dict(r.supernodes);
  d["plan_bytes"] = r.plan_bytes;
  d["analysis_s"] = r.analysis_s;
  return d;
}

nb::dict to_dict(const SolverReport& r) {
  nb::dict d = to_dict(static_cast<const AnalysisReport&>(r));
  d["setup_s"] = r.setup_s;
  d["bytes"] = r.bytes;
  d["workspace_bytes"] = r.workspace_bytes;
  d["device_bytes"] = r.device_bytes;
  d["uninverted_blocks"] = r.uninverted_blocks;
  d["launches"] = r.launches;
  return d;
}

nb::dict to_dict(const DirectReport& r) {
  nb::dict d;
  d["n"] = r.n;
  d["nnz"] = r.nnz;
  d["package"] = r.package;
  d["kind"] = r.kind;
  d["ordering"] = r.ordering;
  d["factor_reason"] = r.factor_reason;
  d["refine_steps"] = r.refine_steps;
  d["method"] = name(r.method);
  d["upper_method"] = name(r.upper_method);
  d["reason"] = r.reason;
  d["backend"] = name(r.backend);
  d["vector_unit"] = name(r.vector_unit);
  d["threads"] = r.threads;
  d["lower"] = to_dict(r.lower);
  d["upper"] = to_dict(r.upper);
  d["symmetric_storage"] = r.symmetric_storage;
  d["low_precision"] = r.low_precision;
  d["uninverted_blocks"] = r.uninverted_blocks;
  d["largest_growth"] = r.largest_growth;
  d["bytes"] = r.bytes;
  d["lower_bytes"] = r.lower_bytes;
  d["upper_bytes"] = r.upper_bytes;
  d["stored_bytes"] = r.stored_bytes;
  d["lower_launches"] = r.lower_launches;
  d["upper_launches"] = r.upper_launches;
  d["workspace_bytes"] = r.workspace_bytes;
  d["device_bytes"] = r.device_bytes;
  d["analysis_s"] = r.analysis_s;
  d["setup_s"] = r.setup_s;
  return d;
}

nb::dict to_dict(const GaussSeidelReport& r) {
  nb::dict d;
  d["n"] = r.n;
  d["nnz"] = r.nnz;
  d["symmetric_pattern"] = r.symmetric_pattern;
  d["direction"] = name(r.direction);
  d["form"] = name(r.form);
  d["method"] = name(r.method);
  d["reason"] = r.reason;
  d["vectors"] = r.vectors;
  d["levels"] = r.levels();
  nb::list triangles;
  for (const AnalysisReport& t : r.triangles) triangles.append(to_dict(t));
  d["triangles"] = triangles;
  d["plan_bytes"] = r.plan_bytes;
  d["analysis_s"] = r.analysis_s;
  d["setup_s"] = r.setup_s;
  d["bytes"] = r.bytes;
  d["workspace_bytes"] = r.workspace_bytes;
  return d;
}

nb::dict to_dict(const BatchReport& r) {
  nb::dict d;
  d["n"] = r.n;
  d["nnz"] = r.nnz;
  d["count"] = r.count;
  d["form"] = name(r.form);
  d["reason"] = r.reason;
  d["width"] = r.width;
  d["backend"] = name(r.backend);
  d["vector_unit"] = name(r.vector_unit);
  d["threads"] = r.threads;
  d["plan_bytes"] = r.plan_bytes;
  d["analysis_s"] = r.analysis_s;
  d["setup_s"] = r.setup_s;
  d["bytes"] = r.bytes;
  d["workspace_bytes"] = r.workspace_bytes;
  d["device_bytes"] = r.device_bytes;
  d["refused"] = r.refused;
  return d;
}

}  // namespace echelon::python
