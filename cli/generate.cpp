// cli/generate.cpp -- echelon generate: writes the matrix of a recipe to a file.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/generate.hpp"

#include <iostream>
#include <memory>

#include "commands.hpp"
#include "input.hpp"
#include "json.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "out_file.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

struct Generate {
  std::string spec;
  std::string out;
  bool list = false;
  bool json = false;

  void run(const CLI::App& app) const {
    if (list) {
      refuse_flags(app, {"SPEC", "--out", "--json"}, "--list");
      std::cout << spec_help();
      return;
    }
    if (spec.empty()) throw UsageError("generate needs a recipe; generate --list shows them");
    if (out.empty()) throw UsageError("generate needs -o FILE");
    check_out(out);
    const Csr<double> a = read_input<double>({spec, Input::Kind::recipe, {}});
    as_phase("writing " + out, [&] { write_matrix_market(out, a); });
    if (json)
      print(begin_document("echelon", "generate")
                .set("input", spec)
                .set("n", a.rows)
                .set("nnz", a.nonzeros())
                .set("out", out));
    else
      std::cout << out << ": " << grouped(a.rows) << " rows, " << grouped(a.nonzeros())
                << " entries\n";
  }
};

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* app = program.add_subcommand("generate", "write the matrix of a recipe to a file");
  const auto command = std::make_shared<Generate>();
  app->add_option("SPEC", command->spec, "the recipe, e.g. laplace2d:100x200:9");
  add_out(*app, command->out, "the Matrix Market file to write");
  app->add_flag("--list", command->list, "print the recipes");
  add_json(*app, command->json);
  return {app, [command, app] { command->run(*app); }};
}

}  // namespace echelon::cli
