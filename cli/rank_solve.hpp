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
#include "system.hpp"
#include "timing.hpp"

namespace echelon::cli {

struct RankSolve {
  std::string input;
  std::string rhs = "ones";
  std::string grid;      // "2x3"; empty: chosen
  std::string timeline;  // a picture of one more solve; empty: none
  SystemRequest system;
  Precision precision = Precision::in_double;
  Index nrhs = 0;
  Index repeat = usual_repeat;
  Index setups = 1;
  std::string out;
  bool json = false;

  bool from_file() const { return input.ends_with(".factors"); }
};

// What is said of a run, besides a report.
struct RankTimes {
  Spread solve_s;                      // of the slowest rank, each
  Spread kernel_s;                     // likewise, in kernels; without repeats where there are none
  double analysis_s = 0, setup_s = 0;  // the medians
  Index nrhs = 1;
};

// What was solved, as rank 0 knows it.  What a file of factors does not tell is empty or NaN.
struct RankFacts {
  Part part = Part::full;
  Phase phase = Phase::both;
  Offset nonzeros = 0;  // of the part
  std::string factor_reason;
  double read_s = unknown, order_s = unknown, factor_s = unknown;
  double backward_error = unknown, normwise_error = unknown;

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
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

// What help says of options that a solver chooses itself.
struct RankDefaultTexts {
  std::string max_panel_columns;
  TreeShape tree;
  Mapping mapping;
};
// The options that both solvers have.
void add_rank_options(CLI::App& app, RankOptions& o, const RankDefaultTexts& defaults);

// Before anything is read: fills in the part that the flags imply.  Throws UsageError for those
// that contradict each other, or the name of a picture that is none.
void check_rank_solve(RankSolve& o, const CLI::App& app);
void draw_timeline(const RankSolve& o, const RankFacts& facts, const Timeline& timeline);

// Over ranks: min, mean and max.
Json to_json(const echelon::Spread& s, double unit);

// `how`: what carries messages; `work`: what else is known of the passes.
Json to_json(const RankSolve& o, const RankFacts& facts, const RankReport& report,
             const RankTimes& times, const Json& how, const Json& work);
// For people: what is solved; times and errors.
void print_system(const RankSolve& o, const RankFacts& facts);
void print_times(const RankSolve& o, const RankFacts& facts, const RankTimes& times);

}  // namespace echelon::cli
