// cli/rank_solve.hpp -- solve on several ranks: flags and reports shared by echelon-mpi and
// echelon-nvshmem.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "echelon/mpi.hpp"
#include "factor_flags.hpp"
#include "json.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "system.hpp"
#include "timing.hpp"

namespace echelon::cli {

struct RankSolve {
  std::string input;
  std::string rhs = "ones";
  std::string grid;      // "2x3"; empty: chosen
  std::string timeline;  // file for a picture of one more solve; empty: none
  SystemRequest system;
  Precision precision = Precision::in_double;
  Index nrhs = 0;
  Index repeat = usual_repeat;
  Index setups = 1;
  std::string out;
  bool json = false;

  bool from_file() const { return input.ends_with(".factors"); }
};

// Times of a run.
struct RankTimes {
  Spread solve_s;                      // slowest rank per solve
  Spread kernel_s;                     // the same for kernels; no repeats without kernels
  double analysis_s = 0, setup_s = 0;  // medians
  Index nrhs = 1;
};

// The system, as rank 0 knows it.  Fields that a file of factors does not have are empty or NaN.
struct RankFacts {
  Part part = Part::full;
  Phase phase = Phase::both;
  Offset nonzeros = 0;  // of the part
  std::string factor_reason;
  double read_s = unknown, order_s = unknown, factor_s = unknown;
  double backward_error = unknown, normwise_error = unknown;

  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
};

// A rank has stopped answering; the others cannot exit normally.
class Stranded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

int this_rank();

// A phase of all ranks, shown by rank 0.
class RankPhase {
 public:
  explicit RankPhase(const std::string& label) {
    if (this_rank() == 0) shown_.emplace(label);
  }
  void update(double share) {
    if (shown_) shown_->update(share);
  }

 private:
  std::optional<Progress> shown_;
};

// Runs body on rank 0; all ranks throw what it throws.
void on_root(const std::function<void()>& body);

// Adds the command and the flags that are not options of a solver.
CLI::App* add_rank_solve(CLI::App& program, RankSolve& solve);

// Help texts of defaults that depend on the solver.
struct RankDefaultTexts {
  std::string max_panel_columns;
  TreeShape tree;
  Mapping mapping;
};
// Flags for the options that both solvers have.
void add_rank_options(CLI::App& app, RankOptions& o, const RankDefaultTexts& defaults);

// Call before reading any file: sets the part that the flags imply.  Throws UsageError for flags
// that contradict each other and for a picture with a wrong extension.
void check_rank_solve(RankSolve& o, const CLI::App& app);
void draw_timeline(const RankSolve& o, const RankFacts& facts, const Timeline& timeline);

// Min, mean and max over ranks.
Json to_json(const echelon::Spread& s, double unit);

// `how`: transport of messages; `work`: more results of the passes.
Json to_json(const RankSolve& o, const RankFacts& facts, const RankReport& report,
             const RankTimes& times, const Json& how, const Json& work);
// Text output: the system; times and errors.
void print_system(const RankSolve& o, const RankFacts& facts);
void print_times(const RankSolve& o, const RankFacts& facts, const RankTimes& times);

}  // namespace echelon::cli
