// cli/rank_solve.hpp -- solve on many ranks: what the programs echelon-mpi and echelon-nvshmem are
// both asked for, and what both say.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "echelon/mpi.hpp"
#include "factor_flags.hpp"
#include "json.hpp"
#include "options.hpp"
#include "timing.hpp"

namespace echelon::cli {

struct RankSolve {
  std::string input;
  std::string rhs = "ones";
  std::string grid;      // "2x3"; empty: chosen
  std::string timeline;  // a picture of one more solve; empty: none
  Part part = Part::full;
  Precision precision = Precision::in_double;
  Index nrhs = 0;
  Index repeat = 10;
  bool as_is = false;  // the matrix's own triangles are L and U
  bool json = false;
  FactorRequest factor;

  bool from_file() const { return input.ends_with(".factors"); }
};

// What is said of a run, besides a report.
struct RankTimes {
  Spread solve_s;   // of the slowest rank, each
  Spread kernel_s;  // likewise, in kernels; without repeats where there are none
  double error = std::numeric_limits<double>::quiet_NaN();
  Index nrhs = 1;
};

// A rank has stopped answering; the others cannot end together.
class Stranded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

int this_rank();

// Runs body on rank 0; what it throws, all ranks throw.
void on_root(const std::function<void()>& body);

// The command, with what does not belong to a solver's options.
CLI::App* add_rank_solve(CLI::App& program, RankSolve& solve);

// Those that the options of both solvers have.
template <class Options>
void add_rank_options(CLI::App& app, Options& o, const std::string& widest) {
  add_choice<TreeShape>(app, "--tree", o.tree,
                        {{"binary", TreeShape::binary}, {"flat", TreeShape::flat}},
                        std::string("trees of broadcasts and sums [") + name(o.tree) + "]");
  add_choice<Mapping>(
      app, "--mapping", o.mapping,
      {{"subtree", Mapping::subtree}, {"balanced", Mapping::balanced}, {"cyclic", Mapping::cyclic}},
      std::string("how blocks are given to ranks [") + name(o.mapping) + "]");
  add_count(app, "--widest", o.widest, {1, 1 << 20}, "columns of a block at most [" + widest + "]");
  add_count(app, "--together", o.together, {1, 16}, "right-hand sides of one pass [16]");
  app.add_option("--timeout", o.timeout_s, "seconds without a message until all give up [60]")
      ->check(CLI::NonNegativeNumber);
}

// Throws UsageError unless the name of the picture is empty or one of a picture.
void check_timeline(const RankSolve& o);
void draw_timeline(const RankSolve& o, const Timeline& timeline);

Json to_json(const echelon::Spread& s, double unit);
Json to_json(const Spread& seconds);

// `how`: what carries messages; `work`: what else is known of the passes.
void print_json(const RankSolve& o, const MpiReport& report, const RankTimes& times,
                const Json& how, const Json& work);
void print_times(const RankTimes& times);

}  // namespace echelon::cli
