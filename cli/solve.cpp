// cli/solve.cpp -- echelon solve: what it is asked for, and which of the two jobs that is.
// SPDX-License-Identifier: BSD-3-Clause
#include "solve.hpp"

#include <memory>

#include "commands.hpp"
#include "echelon/device.hpp"

namespace echelon::cli {
namespace {

Refinement parse_refinement(const std::string& text) {
  Refinement r{text != "off", {}, text};
  if (text == "off" || text == "auto") return r;
  if (!text.starts_with("fixed:"))
    throw UsageError("--refine is off, auto or fixed:STEPS, not '" + text + "'");
  r.options = {.steps = parse_count("--refine fixed", text.substr(6), 1, 1000), .until = false};
  return r;
}

// A job takes the flags of its own only.
void check_flags(const Solve& o, const CLI::App& app) {
  if (o.part == Part::full) {
    refuse_flags(app, {"--op", "--unit", "--alpha"}, name(o.part));
    check_supernodal(o.options.method);
  } else {
    refuse_flags(app, {"--refine"}, name(o.part));
    refuse_factor_options(app, name(o.part));
  }
  check_solver_options(o.options);
  if (o.out.ends_with(".gz"))
    throw UsageError(o.out + ": compressed files are read, not written; leave out the .gz");
}

void run(const Solve& o, const CLI::App& app) {
  check_flags(o, app);
  if (o.options.backend == Backend::cuda)
    find_device();  // better missed now than after the reading
  RightSides right_sides = parse_right_sides(o.rhs);
  Input matrix = open_input(o.input);
  const bool is_complex_system =
      matrix.numbers() == Numbers::complex || right_sides.numbers == Numbers::complex;
  const SolveInput in{std::move(matrix), std::move(right_sides),
                      is_complex_system ? Numbers::complex : Numbers::real};
  (o.part == Part::full ? solve_full : solve_triangle)(o, in);
}

}  // namespace

Command add_solve(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("solve", "solve with one triangle of a matrix, or with all of it");
  const auto o = std::make_shared<Solve>();
  app->add_option("INPUT", o->input, "a matrix file or a recipe")->required();
  add_part(*app, o->part);
  add_choice<Op>(*app, "--op", o->op, {{"n", Op::none}, {"t", Op::transpose}, {"h", Op::conjugate}},
                 "solve with the triangle, its transpose or its conjugate transpose [n]");
  app->add_flag("--unit", o->unit, "take the diagonal as 1 and read no entry of it");
  add_count(*app, "--nrhs", o->nrhs, {1, 1 << 20},
            "right-hand sides solved together [1, or as many as a file has]");
  add_choice<Layout>(*app, "--layout", o->layout,
                     {{"column", Layout::column_major}, {"row", Layout::row_major}},
                     "how several right-hand sides lie in memory [column]");
  app->add_option("--rhs", o->rhs, "ones, random:SEED or a file of vectors [ones]")
      ->type_name("WHAT");
  app->add_option("--alpha", o->alpha, "factor of the right-hand side; RE,IM if complex [1]")
      ->type_name("NUMBER");
  app->add_option("--out", o->out, "write the solution as a Matrix Market array")
      ->type_name("FILE");
  add_count(*app, "--repeat", o->repeat, {1, 1000000}, "timed solves, after one to warm up [5]");
  add_precision(*app, o->precision);
  add_json(*app, o->json);
  const auto refine = [o](const std::string& text) { o->refinement = parse_refinement(text); };
  app->add_option_function<std::string>("--refine", refine,
                                        "iterative refinement of a full solve [off]")
      ->type_name("off|auto|fixed:STEPS");
  add_factor_flags(*app, o->factor);
  add_solver_options(*app, o->options);
  return {app, [o, app] { run(*o, *app); }};
}

}  // namespace echelon::cli
