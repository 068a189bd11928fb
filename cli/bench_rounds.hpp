// cli/bench_rounds.hpp -- prepares, checks and times contenders on one triangular system.
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

// One contender with one number of threads on one system.
struct BenchRun {
  bench::Facts facts;
  Spread solve;
  BackwardErrors errors = {};
  double traffic_bytes = 0;        // matrix, right-hand side and solution
  double speedup_vs_eigen = 0;     // 0: Eigen did not run
  double speedup_vs_cusparse = 0;  // 0: cuSPARSE did not run
  double analysis_solves = 0;      // analysis over serial solve time; 0: serial did not run
};

// The system as reported.
struct SystemFacts {
  std::string input;
  Uplo part = Uplo::lower;
  Index n = 0;
  Index nrhs = 1;
  Offset nonzeros = 0;
  Index levels = 0;
  Index longest_row = 0;
};

// The system of one triangle of a, with right-hand sides whose solutions lie between 1 and 2.
// Throws zero_diagonal.
template <Scalar T>
bench::Task<T> make_task(const Csr<T>& a, Uplo part, Index nrhs);
template <Scalar T>
SystemFacts find_system_facts(const bench::Task<T>& task, const std::string& input);

// Each contender solves once and its solution is checked; then they are timed in turn.  Supernodal
// or device methods that were not requested by name and cannot solve this system are added to
// `missing`.  Throws Error if any other contender fails or a solution is wrong.
template <Scalar T>
std::vector<BenchRun> run_rounds(const bench::Task<T>& task, const SystemFacts& system,
                                 const BenchPlan& plan, std::vector<Missing>& missing);

}  // namespace echelon::cli
