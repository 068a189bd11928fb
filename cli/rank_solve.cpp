// cli/rank_solve.cpp -- solve on many ranks: flags, agreement with rank 0, and what is printed.
// SPDX-License-Identifier: BSD-3-Clause
#include "rank_solve.hpp"

#include <iostream>

#include "echelon/draw.hpp"
#include "machine.hpp"

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
                  "a matrix file, a recipe such as elasticity3d:20, or what echelon factor wrote "
                  "(NAME.factors), of which each rank reads its part")
      ->required();
  app->add_flag("--as-is", solve.as_is, "do not factor: the matrix's own triangles are L and U");
  app->add_option("--grid", solve.grid, "ROWSxCOLUMNS of the ranks [chosen]");
  add_choice<Part>(*app, "--part", solve.part,
                   {{"lower", Part::lower}, {"upper", Part::upper}, {"full", Part::full}},
                   "a triangle of the factorization, or all of it [full]");
  add_precision(*app, solve.precision);
  app->add_option("--rhs", solve.rhs, "ones, random:SEED or a file [ones]");
  add_count(*app, "--nrhs", solve.nrhs, {1, 1 << 20}, "right-hand sides [1, or those of the file]");
  add_count(*app, "--repeat", solve.repeat, {1, 1 << 30}, "timed solves [10]");
  add_json(*app, solve.json);
  add_factor_flags(*app, solve.factor);
  return app;
}

void check_timeline(const RankSolve& o) {
  if (!o.timeline.empty() && !o.timeline.ends_with(".svg") && !o.timeline.ends_with(".png"))
    throw UsageError("--timeline is a file that ends in .svg or .png, not '" + o.timeline + "'");
}

void draw_timeline(const RankSolve& o, const Timeline& timeline) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string title =
      o.input + ", " + name(o.part) + ", on " + std::to_string(ranks) + " ranks";
  write_picture(echelon::draw_timeline(timeline, title), o.timeline);
}

Json to_json(const echelon::Spread& s, double unit) {
  return Json::object()
      .set("min", s.least / unit)
      .set("mean", s.mean / unit)
      .set("max", s.most / unit);
}

Json to_json(const Spread& seconds) {
  return Json::object()
      .set("repeats", seconds.repeats)
      .set("median", seconds.median)
      .set("min", seconds.least)
      .set("max", seconds.most);
}

void print_json(const RankSolve& o, const MpiReport& m, const RankTimes& times, const Json& how,
                const Json& work) {
  const double each = std::max<double>(1, static_cast<double>(m.solves) / times.nrhs);
  Json document = Json::object();
  document.set("command", "solve")
      .set("input", o.input)
      .set("part", name(o.part))
      .set("precision", name(o.precision))
      .set("n", m.n)
      .set("nrhs", times.nrhs)
      .set("ranks", m.ranks)
      .set("grid", std::to_string(m.grid.rows) + "x" + std::to_string(m.grid.cols))
      .add(how)
      .set("tree", name(m.tree))
      .set("mapping", name(m.mapping))
      .set("package", m.package)
      .set("kind", m.kind)
      .set("ordering", m.ordering)
      .set("blocks", m.supernodes)
      .set("levels", m.levels)
      .set("entries", m.entries)
      .set("kept_triangles", m.kept_triangles)
      .set("setup_s", m.setup_s)
      .set("stored_bytes", to_json(m.stored_bytes, 1))
      .set("window_bytes", to_json(m.window_bytes, 1))
      .set("solve_s", to_json(times.solve_s))
      .set("pass_s", to_json(m.solve_s, each))
      .add(work)
      .set("messages", to_json(m.messages, each))
      .set("message_bytes", to_json(m.message_bytes, each))
      .set("componentwise_error", times.error)
      .set("machine", describe_machine())
      .set("date", date_now());
  print(document);
}

void print_times(const RankTimes& times) {
  std::cout << "solve, wall: median " << times.solve_s.median * 1e3 << " ms of "
            << times.solve_s.repeats << ", least " << times.solve_s.least * 1e3 << "\n";
  if (times.kernel_s.repeats > 0)
    std::cout << "solve, kernels: median " << times.kernel_s.median * 1e3 << " ms, least "
              << times.kernel_s.least * 1e3 << "\n";
  if (times.error == times.error)
    std::cout << "componentwise backward error " << times.error << "\n";
}

}  // namespace echelon::cli
