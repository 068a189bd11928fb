// cli/bench_full.hpp -- contenders on the triangles of one factorization: made ready, checked,
// and timed in turn.
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
  Index setups = 0;  // 0: three of quick ones, else one
  Index nrhs = 1;
  Options options;  // for Echelon; method and threads are set apart
  FactorRequest factor;
  std::string mkl_library;
  bool by_level = false;  // time each level too, where there are launches for it
};

// One phase of one contender, with one number of threads.
struct FullRun {
  bench::FactorFacts facts;
  bench::Phase phase = bench::Phase::both;
  Spread solve;
  double nonzero_bytes = 0;        // of the exact nonzeros of what is solved with, without indices
  double vector_bytes = 0;         // of b and x
  double backward_error = 0;       // of A x = b, componentwise
  double normwise_error = 0;       // the same as the ICPP 2020 paper's Figure 10
  double speedup_vs_cusparse = 0;  // in the same phase; 0: it did not run
  std::vector<LevelTime> by_level = {};  // medians, where they were asked for
};

// What is said of a system itself.
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
  std::vector<FullRun> runs;  // the phases of a contender in turn, both at the end
  std::vector<Missing> missing;
};

// Factors the matrix, has every contender solve A x = b once and checks the answer; then they
// take turns, each with one triangle at a time.  Throws Error if the matrix cannot be factored or
// an answer is wrong.
template <Scalar T>
FullResult bench_full(const std::string& input, const Csr<T>& a, const FullPlan& plan);

}  // namespace echelon::cli
