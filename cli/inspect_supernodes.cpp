// cli/inspect_supernodes.cpp -- echelon inspect --supernodes: supernodes before and after merging.
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect_supernodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "break_even.hpp"
#include "echelon/direct.hpp"
#include "echelon/dist.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "system.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

constexpr std::size_t most_lines = 60;  // of the table of levels
constexpr Index rank_width = 128;       // columns of a block, the default of the MPI solver

// Least, average and largest value.
struct Range {
  Index count = 0;
  Index least = 0;
  Index most = 0;
  double sum = 0;

  void take(Index size) {
    least = count == 0 ? size : std::min(least, size);
    most = std::max(most, size);
    sum += size;
    ++count;
  }
  double average() const { return count == 0 ? 0 : sum / count; }
};

struct LevelSizes {
  Range columns;
  Range rows;  // of the panel: its own and those below
};

// Supernodes at one stage of merging.
struct Stage {
  const char* title = "";
  LevelSizes all;
  Offset explicit_zeros = 0;
  std::vector<LevelSizes> levels;
};

struct TriangleStages {
  std::string title;
  Offset nonzeros = 0;
  std::array<Stage, 3> stages;
  InversePayoff payoff;  // of the merged supernodes
  DrawnTriangle drawn;   // if a report is requested
};

void take(LevelSizes& sizes, const Supernodes& s, Index member) {
  sizes.columns.take(s.width(member));
  sizes.rows.take(s.width(member) + s.height(member));
}

Stage find_stage(const char* title, const Supernodes& s, Offset nonzeros) {
  Stage stage{title, {}, s.entries() - nonzeros, {}};
  const LevelSets levels = find_level_sets(s);
  stage.levels.resize(static_cast<std::size_t>(levels.count()));
  for (Index l = 0; l < levels.count(); ++l)
    for (const Index member : levels.rows(l)) take(stage.levels[l], s, member);
  for (Index member = 0; member < s.count(); ++member) take(stage.all, s, member);
  return stage;
}

TriangleStages find_stages(std::string title, const Supernodes& found, Offset nonzeros,
                           const Options& options) {
  const SupernodeOptions& o = options.supernode;
  const Supernodes merged = merge_supernodes(found, Merging::same, o);
  return {std::move(title),
          nonzeros,
          {find_stage("found", found, nonzeros), find_stage("merged", merged, nonzeros),
           find_stage("amalgamated", merge_supernodes(found, Merging::amalgamate, o), nonzeros)},
          find_inverse_payoff(find_panel_facts(merged), options),
          {}};
}

DependencyGraph find_graph(const Pattern& a, Uplo uplo, Index threads) {
  const TrianglePattern t{a, uplo, Op::none, Diagonal::unit, OutsideEntries::ignore};
  return find_dependency_graph(t, uplo == Uplo::lower ? Order::columns : Order::rows, threads);
}

// For the matrix itself.
std::vector<TriangleStages> find_in_matrix(const Pattern& a, Part part, const SupernodeRequest& o) {
  const DependencyGraph g = find_graph(a, uplo_of(part), o.options.cpu.threads);
  const Supernodes found = find_supernodes(g, o.options.cpu.threads);
  std::vector<TriangleStages> triangles{
      find_stages(std::string(name(part)) + " triangle", found, g.nonzeros + g.n, o.options)};
  if (o.report.wanted())
    triangles[0].drawn = triangle_to_draw(a, uplo_of(part), o.options.cpu.threads);
  return triangles;
}

template <Scalar T>
std::vector<TriangleStages> find_in_factors(const Csr<T>& a, const SupernodeRequest& o) {
  Factored<T> done;
  try {
    done = factor_matrix(o.factor.solved_on(o.options.backend), a);
  } catch (const Error& error) {
    refuse_input(o.input, error);
  }
  const Factors<T>& f = done.factors;
  const std::string from = " of " + f.package + " (" + f.kind + ", order " + f.ordering + ")";
  const auto stages = [&](const char* letter, const FactorTriangle<T>& t) {
    return find_stages(letter + from, package_supernodes(t, o.options.cpu.threads), t.nonzeros,
                       o.options);
  };
  std::vector<TriangleStages> triangles{stages("L", f.lower)};
  if (!f.symmetric) triangles.push_back(stages("U", f.upper));
  if (!o.report.wanted()) return triangles;
  // Drawn as they are distributed over ranks.
  RankFactors<T> shared = distribute_factors(f, rank_width, o.options.supernode);
  triangles[0].drawn = {"lower", triangles[0].title, Sweep::forward, std::move(shared.lower)};
  if (!f.symmetric)
    triangles[1].drawn = {"upper", triangles[1].title, Sweep::backward, std::move(shared.upper)};
  return triangles;
}

Json to_json(const Range& r) {
  return Json::object().set("min", r.least).set("mean", r.average()).set("max", r.most);
}

Json to_json(const Stage& stage) {
  Json levels = Json::array();
  for (const LevelSizes& level : stage.levels)
    levels.push(Json::object()
                    .set("supernodes", level.columns.count)
                    .set("columns", to_json(level.columns))
                    .set("rows", to_json(level.rows)));
  return Json::object()
      .set("supernodes", stage.all.columns.count)
      .set("levels", stage.levels.size())
      .set("columns", to_json(stage.all.columns))
      .set("rows", to_json(stage.all.rows))
      .set("explicit_zeros", stage.explicit_zeros)
      .set("by_level", std::move(levels));
}

Json to_json(const SupernodeRequest& o, Part part, Index n,
             const std::vector<TriangleStages>& triangles) {
  Json list = Json::array();
  for (const TriangleStages& t : triangles) {
    Json json = Json::object().set("triangle", t.title).set("nnz", t.nonzeros);
    for (const Stage& stage : t.stages) json.set(stage.title, to_json(stage));
    json.set("estimate", to_json(t.payoff));
    list.push(std::move(json));
  }
  return begin_document("echelon", "inspect")
      .set("input", o.input)
      .set("part", name(part))
      .set("n", n)
      .set("triangles", std::move(list))
      .set("out", or_null(o.out));
}

std::string range_text(const Range& r) {
  if (r.count == 0) return "";
  const std::string average =
      r.average() < 100 ? digits(r.average()) : grouped(std::llround(r.average()));
  return grouped(r.least) + " / " + average + " / " + grouped(r.most);
}

Table summary(const TriangleStages& t) {
  Table table({"", t.stages[0].title, t.stages[1].title, t.stages[2].title});
  const auto row = [&](const char* title, const auto& text) {
    table.add({title, text(t.stages[0]), text(t.stages[1]), text(t.stages[2])});
  };
  row("supernodes", [](const Stage& s) { return grouped(s.all.columns.count); });
  row("levels", [](const Stage& s) { return grouped(static_cast<Offset>(s.levels.size())); });
  row("columns, min / avg / max", [](const Stage& s) { return range_text(s.all.columns); });
  row("rows, min / avg / max", [](const Stage& s) { return range_text(s.all.rows); });
  row("explicit zeros", [](const Stage& s) { return grouped(s.explicit_zeros); });
  return table;
}

Table levels(const TriangleStages& t) {
  Table table({"level", "found", "columns", "rows", "merged", "columns", "rows"});
  const std::size_t count = t.stages[0].levels.size();
  for (std::size_t l = 0; l < std::min(count, most_lines); ++l) {
    std::vector<std::string> row{std::to_string(l)};
    for (const Stage* stage : {&t.stages[0], &t.stages[1]}) {
      const bool is_there = l < stage->levels.size();
      const LevelSizes level = is_there ? stage->levels[l] : LevelSizes{};
      row.push_back(is_there ? grouped(level.columns.count) : "");
      row.push_back(range_text(level.columns));
      row.push_back(range_text(level.rows));
    }
    table.add(std::move(row));
  }
  return table;
}
std::string more_levels(const TriangleStages& t) {
  const std::size_t count = t.stages[0].levels.size();
  if (count <= most_lines) return "";
  return "and " + grouped(static_cast<Offset>(count - most_lines)) + " more levels";
}

void print_text(const SupernodeRequest& o, Index n, const std::vector<TriangleStages>& triangles) {
  std::cout << o.input << ": " << grouped(n) << " unknowns\n";
  for (const TriangleStages& t : triangles) {
    std::cout << '\n' << t.title << ", " << grouped(t.nonzeros) << " nonzeros\n\n";
    summary(t).print(std::cout);
    std::cout << "\n  " << text_of(t.payoff) << "\n\n";
    levels(t).print(std::cout);
    if (!more_levels(t).empty()) std::cout << "  " << more_levels(t) << '\n';
  }
}

// What a solve should take on this machine, before and after inverting diagonal blocks.
Table forecasts_here(const std::vector<TriangleStages>& triangles) {
  std::vector<std::string> titles{"time of a solve"};
  std::vector<std::string> merged{"merged supernodes"}, inverted{"with inverted diagonal blocks"},
      once{"inverting them, once"};
  for (const TriangleStages& t : triangles) {
    titles.push_back(t.title);
    merged.push_back(time_text(t.payoff.plain.total_s));
    inverted.push_back(time_text(t.payoff.inverted.total_s));
    once.push_back(time_text(t.payoff.invert_s));
  }
  Table table(titles);
  for (std::vector<std::string>* row : {&merged, &inverted, &once}) table.add(*row);
  return table;
}

// The pictures have other supernodes than the stages: as ranks have them.
std::string why_counts_differ(const TriangleStages& t, bool factored) {
  const Supernodes& drawn = t.drawn.supernodes;
  const std::string counts = grouped(drawn.count()) + " supernodes in " +
                             grouped(find_level_sets(drawn).count()) + " levels";
  if (!factored) return "The pictures show those that are found: " + counts + ".";
  return "The pictures show " + counts + ": those that echelon-mpi gives to its ranks, merged " +
         "with explicit zeros and then split into at most " + std::to_string(rank_width) +
         " columns. So these counts are not those of a column above.";
}

// `factored`: the triangles are L and U, or only L, which represents both.
void write_report(InspectReport& report, Index n, const std::vector<TriangleStages>& triangles,
                  bool factored) {
  report.add_text(grouped(n) + " unknowns");
  const Index threads = triangles.front().payoff.threads;
  report.add("Forecast for this machine, " + std::to_string(threads) +
                 (threads == 1 ? " thread" : " threads"),
             forecasts_here(triangles));
  for (const TriangleStages& t : triangles) {
    report.add(t.title + ", " + grouped(t.nonzeros) + " nonzeros", summary(t));
    report.add_text(text_of(t.payoff));
    report.add_text(why_counts_differ(t, factored));
    report.add_blocks(t.drawn);
    report.add_paths(t.drawn);
    report.add("Levels of " + t.drawn.key + " supernodes", levels(t));
    report.add_text(more_levels(t));
  }
  if (factored)
    report.add_forecasts(triangles.front().drawn.supernodes, triangles.back().drawn.supernodes);
  report.write();
}

}  // namespace

DrawnTriangle triangle_to_draw(const Pattern& a, Uplo uplo, Index threads) {
  const bool lower = uplo == Uplo::lower;
  return {lower ? "lower" : "upper", lower ? "the lower triangle" : "the upper triangle",
          lower ? Sweep::forward : Sweep::backward,
          find_supernodes(find_graph(a, uplo, threads), threads)};
}

void inspect_supernodes(const SupernodeRequest& o) {
  const Input in = open_input(o.input);
  InspectReport report(o.report, o.input);
  with_scalar(Precision::in_double, in.numbers(), [&]<Scalar T>() {
    const Csr<T> a = read_input<T>(in);
    const Part part = o.part ? *o.part : part_of(a.pattern());
    const bool factored = part == Part::full;
    if (!factored) report.refuse_machine();
    const std::vector<TriangleStages> triangles = as_phase("finding supernodes", [&] {
      return factored ? find_in_factors(a, o) : find_in_matrix(a.pattern(), part, o);
    });
    if (report.wanted())
      as_phase("drawing", [&] { write_report(report, a.rows, triangles, factored); });
    hand_out(to_json(o, part, a.rows, triangles), o.out, o.json);
    if (!o.json) print_text(o, a.rows, triangles);
  });
}

}  // namespace echelon::cli
