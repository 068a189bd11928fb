// cli/full_report.cpp -- what came of a full solve, as JSON and for people.
// SPDX-License-Identifier: BSD-3-Clause
#include "full_report.hpp"

#include <iostream>

#include "json.hpp"
#include "report_members.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

// One triangle as the report shows it.
struct Side {
  const SupernodeReport& supernodes;
  const Spread& solve;
  double exact_bytes;  // of its nonzeros
  Offset bytes;        // that a solve reads
  Index launches;

  double bandwidth() const { return solve.median > 0 ? exact_bytes / solve.median : 0; }
};

Side lower_side(const FullOutcome& r) {
  return {r.report.lower, r.lower, r.lower_bytes, r.report.lower_bytes, r.report.lower_launches};
}
Side upper_side(const FullOutcome& r) {
  return {r.report.upper, r.upper, r.upper_bytes, r.report.upper_bytes, r.report.upper_launches};
}

// Of the whole solve.
double bandwidth(const FullOutcome& r) { return (r.lower_bytes + r.upper_bytes) / r.solve.median; }

Json to_json(const Side& side, const FullOutcome& r) {
  const SupernodeReport& s = side.supernodes;
  return Json::object()
      .set("nnz", s.nonzeros)
      .add(supernode_counts(s))
      .set("tasks", s.tasks)
      .set("task_levels", s.task_levels)
      .set("widest", s.widest)
      .set("explicit_zeros", s.explicit_zeros)
      .set("stored", s.stored)
      .set("bytes", side.bytes)
      .set("launches", side.launches)
      .add(solve_times(side.solve))
      .set("gb_per_s", side.bandwidth() / 1e9)
      .set("bandwidth_share", side.bandwidth() / r.read_bandwidth);
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

std::string megabytes(Offset bytes) { return digits(static_cast<double>(bytes) / 1e6) + " MB"; }

std::string spread_text(const Spread& s) {
  return milliseconds(s.median) + " (" + digits(s.least * 1e3) + " to " + digits(s.most * 1e3) +
         ")";
}

void print_sides(const FullOutcome& r) {
  const Side sides[] = {lower_side(r), upper_side(r)};
  Table table({"", "L", r.report.kept_once ? "U = L'" : "U"});
  const auto row = [&](const char* title, const auto& text) {
    table.add({title, text(sides[0]), text(sides[1])});
  };
  row("nonzeros", [](const Side& s) { return grouped(s.supernodes.nonzeros); });
  row("supernodes", [](const Side& s) { return from_to(s.supernodes.found, s.supernodes.count); });
  row("levels",
      [](const Side& s) { return from_to(s.supernodes.levels_found, s.supernodes.levels); });
  row("tasks", [](const Side& s) { return grouped(s.supernodes.tasks); });
  row("levels of tasks", [](const Side& s) { return grouped(s.supernodes.task_levels); });
  row("widest supernode", [](const Side& s) { return grouped(s.supernodes.widest); });
  row("explicit zeros", [](const Side& s) { return grouped(s.supernodes.explicit_zeros); });
  row("read by a solve", [](const Side& s) { return megabytes(s.bytes); });
  if (r.device) row("launches", [](const Side& s) { return grouped(s.launches); });
  row("solve", [](const Side& s) { return spread_text(s.solve); });
  row("GB/s of nonzeros", [](const Side& s) { return digits(s.bandwidth() / 1e9); });
  row("of the bandwidth",
      [&](const Side& s) { return digits(100 * s.bandwidth() / r.read_bandwidth) + " %"; });
  table.print(std::cout);
}

void print_refinement(const FullOutcome& r) {
  print_fact(std::cout, "solve and refinement", milliseconds(r.refine_s));
  print_fact(std::cout, "refinement",
             std::to_string(r.refine->steps) + " steps, error from " +
                 digits(r.refine->first_error) + " to " + digits(r.refine->last_error));
}

void print_phases(const FullOutcome& r) {
  print_fact(std::cout, "read", milliseconds(r.read_s));
  print_fact(std::cout, "order", milliseconds(r.order_s));
  print_fact(std::cout, "factor", milliseconds(r.factor_s));
  print_fact(std::cout, "analyze", milliseconds(r.report.analyze_s));
  print_fact(std::cout, "setup", milliseconds(r.report.setup_s));
  print_fact(std::cout, "solve",
             spread_text(r.solve) + ", median of " + std::to_string(r.solve.repeats) + ", " +
                 digits(100 * bandwidth(r) / r.read_bandwidth) + " % of the bandwidth");
  if (r.device) print_fact(std::cout, "steps, with copies", description(r.profile));
  if (r.refine) print_refinement(r);
}

void print_growth(const DirectReport& d) {
  if (d.kept_triangles == 0 && d.largest_growth == 0) return;  // nothing was to be inverted
  print_fact(std::cout, "kept triangles",
             grouped(d.kept_triangles) + " diagonal blocks not inverted, growth up to " +
                 digits(d.largest_growth));
}

}  // namespace

void print_json(const Solve& o, const FullOutcome& r) {
  const DirectReport& d = r.report;
  print(Json::object()
            .set("input", o.input)
            .set("part", name(o.part))
            .set("n", d.n)
            .set("nnz", r.nonzeros)
            .set("factor", d.package)
            .set("factor_kind", d.kind)
            .set("factor_reason", r.factor_reason)
            .set("ordering", d.ordering)
            .set("fill_ratio", r.fill_ratio)
            .set("stored_ratio", r.stored_ratio)
            .set("method", name(d.method))
            .set("reason", d.reason)
            .set("backend", name(d.backend))
            .set("threads", d.threads)
            .set("nrhs", r.nrhs)
            .set("layout", o.layout == Layout::column_major ? "column" : "row")
            .set("precision", name(o.precision))
            .set("low_precision", d.low_precision)
            .add(supernode_counts(d.lower))
            .set("explicit_zeros", d.lower.explicit_zeros)
            .set("lower", to_json(lower_side(r), r))
            .set("upper", to_json(upper_side(r), r))
            .set("kept_once", d.kept_once)
            .set("kept_triangles", d.kept_triangles)
            .set("largest_growth", d.largest_growth)
            .set("stored_bytes", d.stored_bytes)
            .set("workspace_bytes", d.workspace_bytes)
            .set("read_s", r.read_s)
            .set("order_s", r.order_s)
            .set("factor_s", r.factor_s)
            .set("analyze_s", d.analyze_s)
            .set("setup_s", d.setup_s)
            .add(solve_times(r.solve))
            .set("repeats", r.solve.repeats)
            .set("refine_s", r.refine ? Json(r.refine_s) : Json())
            .set("refinement", to_json(o.refinement, r))
            .set("gb_per_s", bandwidth(r) / 1e9)
            .set("bandwidth_share", bandwidth(r) / r.read_bandwidth)
            .set("read_gb_per_s", r.read_bandwidth / 1e9)
            .set("device", to_json(r.device))
            .set("profile", to_json(r.profile))
            .set("backward_error", r.componentwise_error)
            .set("normwise_error", r.normwise_error));
}

void print_report(const Solve& o, const Input& input, const FullOutcome& r) {
  const DirectReport& d = r.report;
  std::cout << o.input << " (" << input.description() << "): " << grouped(d.n) << " unknowns, "
            << grouped(r.nonzeros) << " nonzeros\n";
  print_fact(std::cout, "factor",
             d.package + " (" + r.factor_reason + "): " + d.kind + ", order " + d.ordering);
  if (is_incomplete(d.package))
    print_fact(std::cout, "", "incomplete: L U x = b is solved, which A x = b is not");
  print_fact(std::cout, "fill ratio",
             digits(r.fill_ratio, 4) + ", " + digits(r.stored_ratio, 4) + " as stored");
  print_fact(std::cout, "method", std::string(name(d.method)) + ": " + d.reason);
  print_fact(std::cout, "threads", std::to_string(d.threads));
  print_fact(std::cout, "right-hand sides",
             std::to_string(r.nrhs) + " in " + name(o.precision) +
                 (d.low_precision ? ", values stored in single precision" : ""));
  print_growth(d);
  print_fact(std::cout, "stored",
             megabytes(d.stored_bytes) + ", workspace " + megabytes(d.workspace_bytes));
  if (r.device)
    print_fact(std::cout, "device", description(*r.device));
  else
    print_fact(std::cout, "read bandwidth",
               digits(r.read_bandwidth / 1e9) + " GB/s with as many threads");
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
