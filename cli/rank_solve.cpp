// cli/rank_solve.cpp -- solve on several ranks: flags, errors of rank 0 on all ranks, and reports.
// SPDX-License-Identifier: BSD-3-Clause
#include "rank_solve.hpp"

#include <cmath>
#include <iostream>

#include "echelon/tools/draw.hpp"
#include "echelon/tools/units.hpp"
#include "report_members.hpp"

namespace echelon::cli {

int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void on_root(const std::function<void()>& body) {
  std::string text;
  int status = 0;  // 1: Error, 2: UsageError
  int code = 0;
  if (this_rank() == 0) try {
      body();
    } catch (const Error& error) {
      status = 1;
      code = static_cast<int>(error.code());
      text = error.what();
    } catch (const UsageError& error) {
      status = 2;
      text = error.what();
    }
  int head[3] = {status, code, static_cast<int>(text.size())};
  MPI_Bcast(head, 3, MPI_INT, 0, MPI_COMM_WORLD);
  if (head[0] == 0) return;
  text.resize(static_cast<std::size_t>(head[2]));
  MPI_Bcast(text.data(), head[2], MPI_CHAR, 0, MPI_COMM_WORLD);
  if (head[0] == 2) throw UsageError(text);
  throw Error(static_cast<ErrorCode>(head[1]), text);
}

CLI::App* add_rank_solve(CLI::App& program, RankSolve& solve) {
  CLI::App* const app =
      program.add_subcommand("solve", "factor on rank 0, solve on all ranks, time and check");
  app->add_option("INPUT", solve.input,
                  "a matrix file, a recipe such as elasticity3d:20, or a file of echelon factor "
                  "(NAME.factors), from which each rank reads its part")
      ->required();
  app->add_option("--grid", solve.grid, "rows and columns of the grid of ranks [chosen]")
      ->type_name("ROWSxCOLUMNS");
  add_system_flags(*app, solve.system);
  add_precision(*app, solve.precision);
  app->add_option("--rhs", solve.rhs, "ones, random:SEED or a file of vectors [ones]")
      ->type_name("WHAT");
  add_nrhs(*app, solve.nrhs);
  add_out(*app, solve.out, "write the solution as a Matrix Market array");
  add_repeat(*app, solve.repeat);
  add_setups(*app, solve.setups);
  add_json(*app, solve.json);
  return app;
}

void check_rank_solve(RankSolve& o, const CLI::App& app) {
  check_system_flags(app, o.system);
  if (o.from_file()) {
    refuse_flags(app, {"--as-is", "--precision"}, o.input + ", which holds factors");
    refuse_factor_options(app, o.input + ", which holds factors");
    if (o.system.part && *o.system.part != Part::full)
      throw UsageError(o.input + " holds the factors of a whole matrix: use --phase " +
                       name(*o.system.part) + " for one of them");
  }
  if (!o.timeline.empty() && !o.timeline.ends_with(".svg") && !o.timeline.ends_with(".png"))
    throw UsageError("--timeline is a file that ends in .svg or .png, not '" + o.timeline + "'");
}

void draw_timeline(const RankSolve& o, const RankFacts& facts, const Timeline& timeline) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string title =
      o.input + ", " + name(facts.part) +
      (facts.phase == Phase::both ? "" : std::string(", phase ") + name(facts.phase)) + ", on " +
      std::to_string(ranks) + " ranks";
  write_picture(echelon::draw_timeline(timeline, title), o.timeline);
}

Json to_json(const echelon::Spread& s, double unit) {
  return Json::object()
      .set("min", s.least / unit)
      .set("mean", s.mean / unit)
      .set("max", s.most / unit);
}

void add_rank_options(CLI::App& app, RankOptions& o, const RankDefaultTexts& defaults) {
  add_choice(app, "--tree", o.tree,
             std::string("trees of broadcasts and sums [") + name(defaults.tree) + "]");
  add_choice(app, "--mapping", o.mapping,
             std::string("how blocks are assigned to ranks [") + name(defaults.mapping) + "]");
  add_count(app, "--max-panel-columns", o.max_panel_columns, {1, 1 << 20},
            "largest number of columns per block [" + defaults.max_panel_columns + "]");
  add_count(app, "--rhs-per-pass", o.rhs_per_pass, {1, 16}, "right-hand sides per pass [16]");
  add_number(app, "--timeout", o.timeout_s,
             "abort all ranks after this many seconds without a message, 0 or inf for never [60]");
}

Json to_json(const RankSolve& o, const RankFacts& facts, const RankReport& m,
             const RankTimes& times, const Json& how, const Json& work) {
  const double each = std::max<double>(1, static_cast<double>(m.solves) / times.nrhs);
  const auto total = [&](const echelon::Spread& s, double unit) { return s.mean * m.ranks / unit; };
  Json document = Json::object();
  document.set("input", o.input)
      .set("part", name(facts.part))
      .set("phase", name(facts.phase))
      .set("n", m.n)
      .set("nnz", positive_or_null(facts.nonzeros))
      .set("nrhs", times.nrhs)
      .set("precision", name(o.precision))
      .set("ranks", m.ranks)
      .set("grid", std::to_string(m.grid.rows) + "x" + std::to_string(m.grid.cols))
      .add(how)
      .set("tree", name(m.tree))
      .set("mapping", name(m.mapping))
      .set("factor", m.package)
      .set("factor_kind", m.kind)
      .set("factor_reason", or_null(facts.factor_reason))
      .set("ordering", m.ordering)
      .set("supernodes", m.supernodes)
      .set("levels", m.levels)
      .set("stored_entries", m.entries)
      .set("uninverted_blocks", m.uninverted_blocks)
      .set("read_s", facts.read_s)
      .set("order_s", facts.order_s)
      .set("factor_s", facts.factor_s)
      .set("analysis_s", times.analysis_s)
      .set("setup_s", times.setup_s)
      .set("setups", o.setups)
      .add(solve_times(times.solve_s))
      .add(work)
      .set("stored_bytes", total(m.stored_bytes, 1))
      .set("messages", total(m.messages, each))
      .set("message_bytes", total(m.message_bytes, each))
      .set("rank_stored_bytes", to_json(m.stored_bytes, 1))
      .set("rank_window_bytes", to_json(m.window_bytes, 1))
      .set("rank_pass_s", to_json(m.solve_s, each))
      .set("rank_messages", to_json(m.messages, each))
      .set("rank_message_bytes", to_json(m.message_bytes, each))
      .set("backward_error", facts.backward_error)
      .set("normwise_error", facts.normwise_error)
      .set("out", or_null(o.out));
  return document;
}

void print_system(const RankSolve& o, const RankFacts& facts) {
  std::cout << o.input << ", "
            << (facts.part == Part::full ? std::string("as a whole")
                                         : std::string(name(facts.part)) + " triangle");
  if (facts.part == Part::full && facts.phase != Phase::both)
    std::cout << ", " << (facts.phase == Phase::lower ? "L" : "U") << " alone";
  std::cout << '\n';
}

void print_times(const RankSolve& o, const RankFacts& facts, const RankTimes& times) {
  std::cout << "solve, wall: median " << time_text(times.solve_s.median) << " of "
            << times.solve_s.repeats << ", least " << time_text(times.solve_s.least) << "\n";
  if (times.kernel_s.repeats > 0)
    std::cout << "solve, kernels: median " << time_text(times.kernel_s.median) << ", least "
              << time_text(times.kernel_s.least) << "\n";
  if (!std::isnan(facts.backward_error))
    std::cout << "backward error " << facts.backward_error << " componentwise; normwise "
              << facts.normwise_error << " times epsilon\n";
  if (!o.out.empty()) std::cout << "written to " << o.out << "\n";
}

}  // namespace echelon::cli
