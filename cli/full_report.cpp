// cli/full_report.cpp -- reports a full solve as JSON and as text.
// SPDX-License-Identifier: BSD-3-Clause
#include "full_report.hpp"

#include <iostream>

#include "json.hpp"
#include "machine.hpp"
#include "report_members.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

// One triangle in the report.
struct Side {
  const SupernodeReport& supernodes;
  const Spread& solve;
  double nonzero_bytes;
  Offset matrix_bytes;  // read by a solve
  Index launches;
  double vector_bytes;

  double traffic_bytes() const { return static_cast<double>(matrix_bytes) + vector_bytes; }
  double speed() const { return solve.median > 0 ? traffic_bytes() / solve.median : 0; }
  double nonzero_speed() const { return solve.median > 0 ? nonzero_bytes / solve.median : 0; }
};

Side lower_side(const FullOutcome& r) {
  const DirectReport& d = r.report;
  return {d.lower, r.lower, r.lower_nonzero_bytes, d.lower_bytes, d.lower_launches, r.vector_bytes};
}
Side upper_side(const FullOutcome& r) {
  const DirectReport& d = r.report;
  return {d.upper, r.upper, r.upper_nonzero_bytes, d.upper_bytes, d.upper_launches, r.vector_bytes};
}

// For the whole solve.
double matrix_bytes(const FullOutcome& r) {
  return static_cast<double>(r.report.lower_bytes + r.report.upper_bytes);
}
double traffic_bytes(const FullOutcome& r) { return matrix_bytes(r) + r.vector_bytes; }

Json to_json(const Side& side, const FullOutcome& r) {
  const double seconds = side.solve.median;
  return triangle_members(side.supernodes, side.matrix_bytes, side.launches)
      .add(solve_times(side.solve))
      .add(traffic(side.traffic_bytes(), seconds, r.read_bandwidth))
      .add(nonzero_traffic(side.nonzero_bytes, seconds, r.read_bandwidth));
}

Json to_json(const Refinement& asked, const FullOutcome& r) {
  Json json = Json::object().set("mode", asked.text);
  if (r.refine)
    json.set("steps", r.refine->steps)
        .set("first_error", r.refine->first_error)
        .set("last_error", r.refine->last_error);
  return json;
}

std::string from_to(Index from, Index to) {
  return from == to ? grouped(to) : grouped(from) + " -> " + grouped(to);
}

std::string size_of(Offset bytes) { return size_text(static_cast<double>(bytes)); }

std::string spread_text(const Spread& s) {
  return time_text(s.median) + " (" + time_text(s.least) + " to " + time_text(s.most) + ")";
}

void print_sides(const FullOutcome& r) {
  const Side sides[] = {lower_side(r), upper_side(r)};
  Table table({"", "L", r.report.symmetric_storage ? "U = L'" : "U"});
  const auto row = [&](const char* title, const auto& text) {
    table.add({title, text(sides[0]), text(sides[1])});
  };
  row("nonzeros", [](const Side& s) { return grouped(s.supernodes.nonzeros); });
  row("supernodes", [](const Side& s) { return from_to(s.supernodes.found, s.supernodes.count); });
  row("levels",
      [](const Side& s) { return from_to(s.supernodes.levels_found, s.supernodes.levels); });
  row("tasks", [](const Side& s) { return grouped(s.supernodes.tasks); });
  row("levels of tasks", [](const Side& s) { return grouped(s.supernodes.task_levels); });
  row("widest supernode", [](const Side& s) { return grouped(s.supernodes.max_panel_columns); });
  if (sides[0].supernodes.cut + sides[1].supernodes.cut > 0)
    row("cut to be inverted", [](const Side& s) { return grouped(s.supernodes.cut); });
  row("explicit zeros", [](const Side& s) { return grouped(s.supernodes.explicit_zeros); });
  row("read by a solve", [](const Side& s) { return size_of(s.matrix_bytes); });
  if (r.device) row("launches", [](const Side& s) { return grouped(s.launches); });
  row("solve", [](const Side& s) { return spread_text(s.solve); });
  row("GB/s", [](const Side& s) { return digits(s.speed() / 1e9); });
  row("share of bandwidth",
      [&](const Side& s) { return digits(100 * s.speed() / r.read_bandwidth) + " %"; });
  row("GB/s of nonzeros", [](const Side& s) { return digits(s.nonzero_speed() / 1e9); });
  table.print(std::cout);
}

void print_refinement(const FullOutcome& r) {
  print_fact(std::cout, "solve and refinement", time_text(r.refine_s));
  print_fact(std::cout, "refinement",
             std::to_string(r.refine->steps) + " steps, error from " +
                 digits(r.refine->first_error) + " to " + digits(r.refine->last_error));
}

void print_phases(const FullOutcome& r) {
  print_fact(std::cout, "read", time_text(r.read_s));
  print_fact(std::cout, "order", time_text(r.order_s));
  print_fact(std::cout, "factor", time_text(r.factor_s));
  print_fact(std::cout, "analysis", time_text(r.report.analysis_s));
  print_fact(std::cout, "setup", time_text(r.report.setup_s));
  print_fact(std::cout, "solve",
             spread_text(r.solve) + ", median of " + std::to_string(r.solve.repeats) + ", " +
                 digits(100 * traffic_bytes(r) / r.solve.median / r.read_bandwidth) +
                 " % of the bandwidth");
  if (r.device) print_fact(std::cout, "steps, with copies", description(r.profile));
  if (r.refine) print_refinement(r);
}

void print_growth(const DirectReport& d) {
  if (d.uninverted_blocks == 0 && d.largest_growth == 0) return;  // no block was to be inverted
  print_fact(std::cout, "uninverted blocks",
             grouped(d.uninverted_blocks) + " on the diagonal; growth of the others up to " +
                 digits(d.largest_growth));
}

}  // namespace

void print_json(const Solve& o, const FullOutcome& r) {
  const DirectReport& d = r.report;
  const double seconds = r.solve.median;
  print(begin_document("echelon", "solve")
            .set("input", o.input)
            .set("part", "full")
            .set("n", d.n)
            .set("nnz", r.nonzeros)
            .set("factor", d.package)
            .set("factor_kind", d.kind)
            .set("factor_reason", r.factor_reason)
            .set("ordering", d.ordering)
            .set("fill_ratio", r.fill_ratio)
            .set("stored_ratio", r.stored_ratio)
            .set("method", name(d.method))
            .set("upper_method", name(d.upper_method))
            .set("reason", d.reason)
            .set("backend", name(d.backend))
            .set("threads", d.threads)
            .set("vector_unit", to_json(d.vector_unit))
            .set("nrhs", r.nrhs)
            .set("layout", o.layout == Layout::column_major ? "column" : "row")
            .set("precision", name(o.precision))
            .set("low_precision", d.low_precision)
            .add(supernode_counts(d.lower))
            .set("explicit_zeros", d.lower.explicit_zeros)
            .set("lower", to_json(lower_side(r), r))
            .set("upper", to_json(upper_side(r), r))
            .set("symmetric_storage", d.symmetric_storage)
            .set("uninverted_blocks", d.uninverted_blocks)
            .set("largest_growth", d.largest_growth)
            .set("stored_bytes", d.stored_bytes)
            .set("workspace_bytes", d.workspace_bytes)
            .set("device_bytes", d.device_bytes)
            .set("read_s", r.read_s)
            .set("order_s", r.order_s)
            .set("factor_s", r.factor_s)
            .set("analysis_s", d.analysis_s)
            .set("setup_s", d.setup_s)
            .set("setups", o.setups)
            .add(solve_times(r.solve))
            .set("refine_s", r.refine ? Json(r.refine_s) : Json())
            .set("refinement", to_json(o.refinement, r))
            .set("bytes", matrix_bytes(r))
            .add(traffic(traffic_bytes(r), seconds, r.read_bandwidth))
            .add(nonzero_traffic(r.lower_nonzero_bytes + r.upper_nonzero_bytes, seconds,
                                 r.read_bandwidth))
            .set("read_gb_per_s", r.read_bandwidth / 1e9)
            .set("device", to_json(r.device))
            .set("profile", to_json(r.profile))
            .set("backward_error", r.componentwise_error)
            .set("normwise_error", r.normwise_error)
            .set("out", or_null(o.out)));
}

void print_report(const Solve& o, const Input& input, const FullOutcome& r) {
  const DirectReport& d = r.report;
  std::cout << o.input << " (" << input.description() << "): " << grouped(d.n) << " unknowns, "
            << grouped(r.nonzeros) << " nonzeros\n";
  print_fact(std::cout, "factor",
             d.package + " (" + r.factor_reason + "): " + d.kind + ", order " + d.ordering);
  if (is_incomplete(d.package))
    print_fact(std::cout, "", "incomplete: solves L U x = b, not A x = b");
  print_fact(std::cout, "fill ratio",
             digits(r.fill_ratio, 4) + ", " + digits(r.stored_ratio, 4) + " as stored");
  const bool same = d.method == d.upper_method;
  print_fact(std::cout, "method",
             std::string(name(d.method)) +
                 (same ? "" : std::string(", of U ") + name(d.upper_method)) + ": " + d.reason);
  print_fact(std::cout, "threads", std::to_string(d.threads));
  print_fact(std::cout, "right-hand sides",
             std::to_string(r.nrhs) + " in " + name(o.precision) +
                 (d.low_precision ? ", values stored in single precision" : ""));
  print_growth(d);
  print_fact(std::cout, "stored",
             size_of(d.stored_bytes) + ", workspace " + size_of(d.workspace_bytes));
  if (r.device)
    print_fact(std::cout, "device", description(*r.device));
  else
    print_fact(std::cout, "read bandwidth",
               digits(r.read_bandwidth / 1e9) + " GB/s with the same number of threads");
  std::cout << '\n';
  print_sides(r);
  std::cout << '\n';
  print_phases(r);
  print_fact(std::cout, "backward error",
             digits(r.componentwise_error) + " componentwise; normwise " +
                 digits(r.normwise_error) + " times epsilon");
  if (!o.out.empty()) print_fact(std::cout, "written to", o.out);
}

}  // namespace echelon::cli
