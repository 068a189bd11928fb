// cli/bench_rounds.hpp -- contenders on one system: made ready, checked, and timed in turn.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <general/contender.hpp>
#include <string>
#include <vector>

#include "contenders.hpp"
#include "echelon/residual.hpp"
#include "options.hpp"
#include "timing.hpp"

namespace echelon::cli {

struct BenchPlan {
  std::vector<ContenderChoice> contenders;
  std::vector<Index> threads;
  Index repeat = usual_repeat;
  Index nrhs = 1;
  bench::Settings settings;
};

// One contender, with one number of threads, on one system.
struct BenchRun {
  bench::Facts facts;
  Spread solve;
  BackwardErrors errors = {};
  double bytes = 0;                // matrix, right-hand side and solution
  double speedup_vs_eigen = 0;     // 0: Eigen did not run
  double speedup_vs_cusparse = 0;  // likewise
  double analysis_solves = 0;      // the analysis in serial solves; 0: serial did not run
};

// What is said of a system itself.
struct SystemFacts {
  std::string input;
  Uplo part = Uplo::lower;
  Index n = 0;
  Index nrhs = 1;
  Offset nonzeros = 0;
  Index levels = 0;
  Index longest_row = 0;
};

// Makes the system of one triangle of a: each b belongs to a solution between 1 and 2.  Throws
// zero_diagonal.
template <Scalar T>
bench::Task<T> make_task(const Csr<T>& a, Uplo part, Index nrhs);
template <Scalar T>
SystemFacts find_system_facts(const bench::Task<T>& task, const std::string& input);

// Each contender solves once and its answer is checked; then they take turns.  Methods on
// supernodes or on a device that nobody named and that cannot take this system are missing.  Throws
// Error if any other contender fails, or if an answer is wrong.
template <Scalar T>
std::vector<BenchRun> run_rounds(const bench::Task<T>& task, const SystemFacts& system,
                                 const BenchPlan& plan, std::vector<Missing>& missing);

}  // namespace echelon::cli
