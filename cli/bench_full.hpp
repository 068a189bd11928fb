// cli/bench_full.hpp -- prepares, checks and times contenders on the triangles of one
// factorization.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <factor_solve/factor_contender.hpp>
#include <string>
#include <vector>

#include "contenders.hpp"
#include "factor_flags.hpp"
#include "options.hpp"
#include "timing.hpp"

namespace echelon::cli {

struct FullPlan {
  std::vector<ContenderChoice> contenders;
  std::vector<Index> threads;
  Index repeat = usual_repeat;
  Index setups = 0;  // 0: three if they are quick, else one
  Index nrhs = 1;
  Options options;  // for Echelon; method and threads are set separately
  FactorRequest factor;
  std::string mkl_library;
  std::string cudss_library;
  double most_s = 0;      // seconds of timing after which no round begins; 0: no limit
  std::string turn;       // file of the lock that processes take to use the machine, or empty
  bool whole = false;     // also time A x = b, with permutations and scaling
  bool updates = true;    // time updates of Echelon's solvers
  bool by_level = false;  // also time each level, for methods with one launch per level
};

// One phase of one contender with one number of threads.
struct FullRun {
  bench::FactorFacts facts;
  bench::Phase phase = bench::Phase::both;
  Spread solve;
  double nonzero_bytes = 0;              // of the exact nonzeros, without indices
  double vector_bytes = 0;               // of b and x
  double backward_error = 0;             // of A x = b, componentwise
  double normwise_error = 0;             // as in Figure 10 of the ICPP 2020 paper
  double speedup_vs_cusparse = 0;        // in the same phase; 0: cuSPARSE did not run
  std::vector<LevelTime> by_level = {};  // medians, if requested
};

// The system as reported.
struct FullSystem {
  std::string input;
  Index n = 0;
  Offset nonzeros = 0;  // of A
  Offset lower_nonzeros = 0;
  Offset upper_nonzeros = 0;
  std::string package = {};
  std::string kind = {};
  std::string ordering = {};
  std::string reason = {};  // why this package
  double order_s = 0;
  double factor_s = 0;
  Index nrhs = 1;
  bool low_precision = false;

  double fill_ratio() const {
    return static_cast<double>(lower_nonzeros + upper_nonzeros - n) / static_cast<double>(nonzeros);
  }
};

struct FullResult {
  FullSystem system;
  std::vector<FullRun> runs;  // by contender and phase, in the order of the enum
  std::vector<Missing> missing;
};

// Factors the matrix, lets every contender solve A x = b once and checks the solution; then times
// them in turn, one triangle at a time.  Throws Error if the matrix cannot be factored or a
// solution is wrong.
template <Scalar T>
FullResult bench_full(const std::string& input, const Csr<T>& a, const FullPlan& plan);

}  // namespace echelon::cli
