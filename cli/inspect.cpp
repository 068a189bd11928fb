// cli/inspect.cpp -- echelon inspect: properties of a matrix and its two triangles, and their
// plans.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "break_even.hpp"
#include "commands.hpp"
#include "echelon/analysis.hpp"
#include "echelon/solver.hpp"
#include "input.hpp"
#include "inspect_supernodes.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "system.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

struct DiagonalFacts {
  Index missing = 0;
  Index zero = 0;
};

struct TriangleFacts {
  Offset nonzeros = 0;  // with the stored diagonal entries
  Index longest_row = 0;
  Index largest_level = 0;
  AnalysisReport report;
  AnalysisPayoff payoff;
};

struct MatrixFacts {
  Part part = Part::full;  // default of echelon solve
  Index n = 0;
  Offset nonzeros = 0;  // of the whole matrix
  Offset not_finite = 0;
  DiagonalFacts diagonal;
  TriangleFacts lower;
  TriangleFacts upper;

  // The triangle of the part; null for the full matrix.
  const TriangleFacts* triangle() const {
    return part == Part::full ? nullptr : part == Part::lower ? &lower : &upper;
  }
};

template <Scalar T>
DiagonalFacts find_diagonal(const Csr<T>& a) {
  DiagonalFacts facts;
  for (Index i = 0; i < a.rows; ++i) {
    bool stored = false;
    T sum = 0;
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      if (a.index[p] != i) continue;
      stored = true;
      sum += a.value[p];
    }
    facts.missing += stored ? 0 : 1;
    facts.zero += stored && sum == T(0) ? 1 : 0;
  }
  return facts;
}

// Values are not used.  A diagonal with missing entries is taken as 1, so that the pattern can
// still be analyzed.
TriangleFacts find_triangle(const Pattern& a, Uplo uplo, Diagonal diagonal, const Options& o) {
  const TrianglePattern t{a, uplo, Op::none, diagonal, OutsideEntries::ignore};
  TriangleFacts facts;
  for (Index i = 0; i < a.rows; ++i) {
    Index length = 0;
    for (const Index j : a.list(i)) length += j == i || t.inside(i, j) ? 1 : 0;
    facts.nonzeros += length;
    facts.longest_row = std::max(facts.longest_row, length);
  }
  const LevelSets levels = find_level_sets(find_dependency_graph(t, Order::rows));
  for (Index l = 0; l < levels.count(); ++l)
    facts.largest_level = std::max(facts.largest_level, static_cast<Index>(levels.rows(l).size()));
  facts.report = Analysis(t, o).report();
  facts.payoff = find_analysis_payoff(facts.report, o.expected_solves);
  return facts;
}

template <Scalar T>
MatrixFacts find_facts(const Csr<T>& a, const std::optional<Part>& part, const Options& o) {
  MatrixFacts facts;
  facts.part = part ? *part : part_of(a.pattern());
  facts.n = a.rows;
  facts.nonzeros = a.nonzeros();
  facts.diagonal = find_diagonal(a);
  for (const T& value : a.value) facts.not_finite += std::isfinite(std::abs(value)) ? 0 : 1;
  const Diagonal diagonal = facts.diagonal.missing > 0 ? Diagonal::unit : Diagonal::stored;
  facts.lower = find_triangle(a.pattern(), Uplo::lower, diagonal, o);
  facts.upper = find_triangle(a.pattern(), Uplo::upper, diagonal, o);
  return facts;
}

Json to_json(const TriangleFacts& t) {
  return Json::object()
      .set("nnz", t.nonzeros)
      .set("levels", t.report.levels)
      .set("average_parallelism", t.report.average_parallelism)
      .set("longest_row", t.longest_row)
      .set("largest_level", t.largest_level)
      .set("method", name(t.report.method))
      .set("reason", t.report.reason)
      .set("threads", t.report.threads)
      .set("supersteps", t.report.supersteps)
      .set("predicted_speedup", t.report.predicted_speedup)
      .set("analysis_s", t.report.analysis_s)
      .set("estimate", to_json(t.payoff));
}

Json to_json(const Input& input, const MatrixFacts& m, const std::string& out) {
  const TriangleFacts* const triangle = m.triangle();
  Json document = begin_document("echelon", "inspect");
  document.set("input", input.name)
      .set("format", input.description())
      .set("part", name(m.part))
      .set("n", m.n)
      .set("nnz", triangle != nullptr ? triangle->nonzeros : m.nonzeros);
  if (triangle != nullptr)
    document.set("levels", triangle->report.levels)
        .set("average_parallelism", triangle->report.average_parallelism);
  return document.set("diagonal_missing", m.diagonal.missing)
      .set("diagonal_zero", m.diagonal.zero)
      .set("analyzed_with_unit_diagonal", m.diagonal.missing > 0)
      .set("not_finite", m.not_finite)
      .set("lower", to_json(m.lower))
      .set("upper", to_json(m.upper))
      .set("out", or_null(out));
}

// Such a diagonal is allowed in a full matrix, because its factorization pivots, but not in a
// triangle.
std::string diagonal_text(const MatrixFacts& m) {
  const DiagonalFacts& d = m.diagonal;
  if (d.missing == 0 && d.zero == 0) return "full";
  std::string text = grouped(d.missing) + " missing, " + grouped(d.zero) + " zero";
  if (d.missing > 0) text += "; the analysis takes it as 1";
  return text + (m.part == Part::full ? "; a solve with one triangle needs --part and --unit"
                                      : "; solve needs --unit");
}

std::vector<std::vector<std::string>> matrix_facts(const MatrixFacts& m) {
  std::vector<std::vector<std::string>> facts{
      {"rows", grouped(m.n)}, {"nonzeros", grouped(m.nonzeros)}, {"diagonal", diagonal_text(m)}};
  if (m.not_finite > 0) facts.push_back({"not finite", grouped(m.not_finite) + " entries"});
  return facts;
}

Table triangle_facts(const MatrixFacts& m) {
  Table table({"", "lower", "upper"});
  const auto row = [&](const char* title, const auto& text) {
    table.add({title, text(m.lower), text(m.upper)});
  };
  row("nonzeros", [](const TriangleFacts& t) { return grouped(t.nonzeros); });
  row("levels", [](const TriangleFacts& t) { return grouped(t.report.levels); });
  row("average parallelism",
      [](const TriangleFacts& t) { return digits(t.report.average_parallelism, 4); });
  row("longest row", [](const TriangleFacts& t) { return grouped(t.longest_row); });
  row("largest level", [](const TriangleFacts& t) { return grouped(t.largest_level); });
  row("threads", [](const TriangleFacts& t) { return grouped(t.report.threads); });
  row("method", [](const TriangleFacts& t) { return std::string(name(t.report.method)); });
  row("supersteps", [](const TriangleFacts& t) { return grouped(t.report.supersteps); });
  row("predicted speed-up",
      [](const TriangleFacts& t) { return digits(t.report.predicted_speedup); });
  row("analysis", [](const TriangleFacts& t) { return time_text(t.report.analysis_s); });
  return table;
}

std::vector<std::string> reasons(const MatrixFacts& m) {
  std::vector<std::string> texts;
  for (const auto& [title, t] : {std::pair{"lower", &m.lower}, std::pair{"upper", &m.upper}})
    texts.push_back(std::string(title) + ": " + t->report.reason + "; " + text_of(t->payoff));
  return texts;
}

void print_facts(const Input& input, const MatrixFacts& m) {
  std::cout << input.name << " (" << input.description() << ")\n";
  for (const auto& fact : matrix_facts(m)) print_fact(std::cout, fact[0], fact[1]);
  std::cout << '\n';
  triangle_facts(m).print(std::cout);
  for (const std::string& reason : reasons(m)) std::cout << "\n  " << reason;
  std::cout << '\n';
}

// For a symmetric pattern, draws one triangle only.
void write_report(InspectReport& report, const Input& input, const Pattern& a,
                  const MatrixFacts& m) {
  Table facts({"", input.description()});
  for (const auto& fact : matrix_facts(m)) facts.add(fact);
  report.add("The matrix", facts);
  report.add("Its triangles", triangle_facts(m));
  for (const std::string& reason : reasons(m)) report.add_text(reason);
  const DrawnTriangle lower = triangle_to_draw(a, Uplo::lower, 0);
  const DrawnTriangle upper = triangle_to_draw(a, Uplo::upper, 0);
  report.add_blocks(lower);
  if (lower.supernodes.first != upper.supernodes.first ||
      lower.supernodes.row != upper.supernodes.row)
    report.add_blocks(upper);
  report.write();
}

struct Inspect {
  bool supernodes = false;
  std::optional<Part> part;
  SupernodeRequest request;

  void run(const CLI::App& app) {
    check_solver_options(request.options);
    check_out(request.out);
    request.part = part_asked_for(part, app);
    if (supernodes || request.part == Part::full)
      inspect_supernodes(request);
    else
      inspect_matrix();
  }

  void inspect_matrix() const {
    const Input in = open_input(request.input);
    InspectReport report(request.report, request.input);
    report.refuse_machine();
    const MatrixFacts facts = with_scalar(Precision::in_double, in.numbers(), [&]<Scalar T>() {
      const Csr<T> a = read_input<T>(in);
      MatrixFacts found =
          as_phase("analyzing", [&] { return find_facts(a, request.part, request.options); });
      if (report.wanted())
        as_phase("drawing", [&] { write_report(report, in, a.pattern(), found); });
      return found;
    });
    hand_out(to_json(in, facts, request.out), request.out, request.json);
    if (!request.json) print_facts(in, facts);
  }
};

}  // namespace

Command add_inspect(CLI::App& program) {
  CLI::App* app = program.add_subcommand("inspect", "show a matrix, its triangles and their plans");
  const auto command = std::make_shared<Inspect>();
  SupernodeRequest& request = command->request;
  app->add_option("INPUT", request.input, "a matrix file or a recipe")->required();
  add_choice(
      *app, "--part", command->part,
      "one triangle, or full: those of a factorization [a triangular matrix as it is; else both "
      "triangles, or with --supernodes full]");
  app->add_flag("--supernodes", command->supernodes,
                "show supernodes: of the triangle, or with --factor those of L and U");
  add_report_flags(*app, request.report);
  add_out(*app, request.out, "write the JSON document");
  add_json(*app, request.json);
  add_factor_flags(*app, request.factor);
  add_solver_options(*app, request.options,
                     {"method", "backend", "deterministic", "measure", "check_finite",
                      "cuda.device", "cuda.watchdog_ms", "cuda.blocks"});
  return {app, [command, app] { command->run(*app); }};
}

}  // namespace echelon::cli
