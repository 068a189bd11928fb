// cli/solve.cpp -- echelon solve: parses its flags and chooses between its two jobs.
// SPDX-License-Identifier: BSD-3-Clause
#include "solve.hpp"

#include <memory>

#include "commands.hpp"
#include "echelon/device.hpp"
#include "out_file.hpp"
#include "system.hpp"
#include "timing.hpp"

namespace echelon::cli {
namespace {

Refinement parse_refinement(const std::string& text) {
  Refinement r{text != "off", {}, text, true};
  if (text == "off" || text == "auto") return r;
  if (!text.starts_with("fixed:"))
    throw UsageError("--refine is off, auto or fixed:STEPS, not '" + text + "'");
  r.options = {.steps = parse_count("--refine fixed", text.substr(6), 1, 1000),
               .stop_when_stalled = false};
  return r;
}

// Rejects flags that do not apply to the part.
void check_part(const Solve& o, Part part, const CLI::App& app) {
  const std::string system = described(o.input, part, o.part.has_value());
  if (part == Part::full) {
    refuse_flags(app, {"--op", "--unit", "--alpha"}, system);
  } else {
    refuse_flags(app, {"--refine"}, system);
  }
}

// Reports mistakes before the matrix is read.
void check_flags(Solve& o, const CLI::App& app) {
  o.part = part_asked_for(o.part, app);
  if (!o.part && o.refinement.is_on) o.part = Part::full;
  if (o.part) check_part(o, *o.part, app);
  check_solver_options(o.options);
  check_out(o.out);
  if (o.options.backend == Backend::cuda) find_device();
}

template <Scalar T>
void run_with(const Solve& o, const Input& input, const RightSides& rhs, const CLI::App& app) {
  SolveTask<T> task{input, Part::full, {}, {}};
  const Stopwatch watch;
  task.a = read_input<T>(input);
  task.read_s = watch.seconds();
  task.part = o.part ? *o.part : part_of(task.a.pattern());
  check_part(o, task.part, app);
  task.b = make_right_sides<T>(rhs, task.a.rows, o.nrhs, o.layout);
  (task.part == Part::full ? solve_full<T> : solve_triangle<T>)(o, task);
}

void run(Solve& o, const CLI::App& app) {
  check_flags(o, app);
  const DeviceScope there(o.options.device());
  const RightSides rhs = parse_right_sides(o.rhs);
  const Input input = open_input(o.input);
  const bool any = input.numbers() == Numbers::complex || rhs.numbers == Numbers::complex;
  with_scalar(o.precision, any ? Numbers::complex : Numbers::real,
              [&]<Scalar T>() { run_with<T>(o, input, rhs, app); });
}

}  // namespace

Command add_solve(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("solve", "solve with a matrix, or with one triangle of it");
  const auto o = std::make_shared<Solve>();
  app->add_option("INPUT", o->input, "a matrix file or a recipe")->required();
  add_part(*app, o->part);
  add_choice(*app, "--op", o->op,
             "solve with the triangle, its transpose or its conjugate transpose [n]");
  app->add_flag("--unit", o->unit, "take the diagonal as 1 and do not read its entries");
  add_nrhs(*app, o->nrhs);
  add_choice(*app, "--layout", o->layout, "storage of several right-hand sides [column]");
  app->add_option("--rhs", o->rhs, "ones, random:SEED or a file of vectors [ones]")
      ->type_name("WHAT");
  app->add_option("--alpha", o->alpha, "factor of the right-hand side; RE,IM if complex [1]")
      ->type_name("NUMBER");
  add_out(*app, o->out, "write the solution as a Matrix Market array");
  add_repeat(*app, o->repeat);
  add_setups(*app, o->setups);
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
