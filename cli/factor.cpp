// cli/factor.cpp -- echelon factor: factors a matrix and writes a file from which each rank of
// echelon-mpi reads its part.
// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "echelon/factor_file.hpp"
#include "factor_flags.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "timing.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

struct FactorCommand {
  std::string input;
  std::string out;
  FactorRequest request;
  Precision precision = Precision::in_double;
  Index max_panel_columns = 128;
  bool json = false;

  void run() const {
    if (!out.ends_with(".factors"))
      throw UsageError("factor needs -o FILE with a name that ends in .factors");
    check_out(out);
    const Input matrix = open_input(input);
    with_scalar(precision, matrix.numbers(), [&]<Scalar T>() { write<T>(matrix); });
  }

 private:
  template <Scalar T>
  void write(const Input& matrix) const {
    const Csr<T> a = read_input<T>(matrix);
    try {
      const Factored<T> factored = factor_matrix(request, a);
      const Factors<T>& f = factored.factors;
      const RankFactors<T> shared = as_phase(
          "dividing the factors", [&] { return distribute_factors(f, max_panel_columns); });
      const Stopwatch watch;
      as_phase("writing " + out, [&] { write_factors(out, f, shared.lower, shared.upper); });
      report(factored, shared, a.nonzeros(), watch.seconds());
    } catch (const Error& error) {
      if (error.code() == ErrorCode::bad_file) throw;
      refuse_input(input, error);
    }
  }
  template <Scalar T>
  void report(const Factored<T>& factored, const RankFactors<T>& shared, Offset nonzeros,
              double write_s) const {
    const Factors<T>& f = factored.factors;
    const Offset entries = shared.lower.entries() + shared.upper.entries();
    if (json)
      return print(begin_document("echelon", "factor")
                       .set("input", input)
                       .set("n", shared.n)
                       .set("nnz", nonzeros)
                       .set("factor", f.package)
                       .set("factor_kind", f.kind)
                       .set("factor_reason", factored.reason)
                       .set("ordering", f.ordering)
                       .set("precision", name(precision))
                       .set("supernodes", shared.lower.count())
                       .set("stored_entries", entries)
                       .set("order_s", f.order_s)
                       .set("factor_s", f.factor_s)
                       .set("write_s", write_s)
                       .set("out", out));
    std::cout << out << ": factors of " << f.package << ", " << grouped(shared.n) << " rows, "
              << grouped(entries) << " entries in " << grouped(shared.lower.count())
              << " blocks of columns\n";
  }
};

}  // namespace

Command add_factor(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("factor", "factor a matrix and write the factors for echelon-mpi");
  const auto command = std::make_shared<FactorCommand>();
  app->add_option("INPUT", command->input, "a matrix file, or a recipe such as elasticity3d:20")
      ->required();
  add_out(*app, command->out, "the file to write, NAME.factors");
  add_threads(*app, command->request.options.threads);
  add_count(*app, "--max-panel-columns", command->max_panel_columns, {1, 1 << 20},
            "largest number of columns per block [128]");
  add_precision(*app, command->precision);
  add_factor_flags(*app, command->request);
  add_json(*app, command->json);
  return {app, [command] { command->run(); }};
}

}  // namespace echelon::cli
