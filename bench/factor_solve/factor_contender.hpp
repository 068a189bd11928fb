// bench/factor_solve/factor_contender.hpp -- who solves with the triangles of one factorization:
// every supernodal option of Echelon, CHOLMOD, SuperLU, PARDISO and cuSPARSE, each made ready to be
// called again and again.
// SPDX-License-Identifier: BSD-3-Clause
//
// Fairness.  All have the same matrix, ordering, pivots and scaling; CHOLMOD and SuperLU factor it
// themselves, once more, and solve with what they have then.  All may prepare as long as they
// like.  PARDISO orders by itself, and permutes inside its two phases.  The clock runs for one
// triangular solve from b to x, in the order of the factor; SuperLU's gstrs does both triangles,
// with the permutations, in place.  BLAS has as many threads as Echelon.  On a device the vectors
// of Echelon and cuSPARSE lie there too, and its clock is used; cuSPARSE has both triangles by
// rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "echelon/direct.hpp"
#include "echelon/factor.hpp"
#include "factor_solve/frame.hpp"

namespace echelon::bench {

// The matrix and its factors.
template <Scalar T>
struct FactorTask {
  CsrView<T> a;
  Factors<T> factors;
  FactorOptions factor_options;  // they were made with
  Options options;               // for Echelon; method and threads are set apart
  Index setups =
      0;  // how often Echelon's solvers are made, timed; 0: three times if quick, else once
};

enum class Phase { lower, upper, both };
constexpr auto names(Phase) {
  return name_table<Phase>(
      {{Phase::lower, "lower"}, {Phase::upper, "upper"}, {Phase::both, "both"}});
}

// What is known of a contender before it is timed.
struct FactorFacts {
  std::string contender;  // "echelon:tree", "cholmod", "superlu", "pardiso", "cusparse"
  std::string method;     // what it runs
  std::string reason = {};
  bool blas_threads = false;  // its threads are those of BLAS, not Echelon's
  Index threads = 1;
  double analysis_s = 0;  // ordering and symbolic analysis, of CHOLMOD and SuperLU
  double setup_s = 0;     // numeric factorization, of CHOLMOD and SuperLU; of cuSPARSE the upload
  Index setups = 1;       // how often both were timed
  double update_s = 0;    // of Echelon: new values for the same pattern; 0: not measured
  Offset stored_values = 0;  // of both triangles, explicit zeros and padding included
  Offset stored_bytes = 0;   // with indices
  DirectReport report = {};  // of Echelon
};

// One contender with its number of threads, ready.
template <Scalar T>
struct FactorEntrant {
  FactorFacts facts;
  Frame<T> frame;             // between the order of A and that of the solves
  std::vector<Phase> phases;  // lower and upper, or both in one, or all three
  // x = L \ b, U \ b, or both; the seconds it took.  By columns.
  std::function<double(Phase, const Vectors<const T>& b, const Vectors<T>& x)> solve;
  // The levels of such a solve on a device, timed apart; none: it has no launches by level.
  std::function<std::vector<LevelTime>(Phase, const Vectors<const T>& b, const Vectors<T>& x)>
      levels;
};

template <Scalar T>
using FactorEntrants = std::vector<FactorEntrant<T>>;

// Each makes an entrant for every number of threads; the task outlives them.  CHOLMOD and SuperLU
// factor once for all.  They throw Error: what the library throws, backend_missing, or
// backend_failed with the contender's own words.
template <Scalar T>
FactorEntrants<T> make_supernodal(const FactorTask<T>& task, Method method,
                                  const std::vector<Index>& threads);
template <Scalar T>
FactorEntrants<T> make_cholmod(const FactorTask<T>& task, const std::vector<Index>& threads);
template <Scalar T>
FactorEntrants<T> make_superlu(const FactorTask<T>& task, const std::vector<Index>& threads);
template <Scalar T>
FactorEntrants<T> make_pardiso(const FactorTask<T>& task, const std::vector<Index>& threads,
                               const std::string& mkl_library);
// One entrant, on the device, for so many right-hand sides.
template <Scalar T>
FactorEntrants<T> make_cusparse(const FactorTask<T>& task, Index nrhs);

// Why a contender cannot run here; empty if it can.  Of cuSPARSE: support/cusparse.hpp.
std::string why_no_cholmod();
std::string why_no_superlu();
std::string why_no_pardiso(const std::string& mkl_library);

// A x = b by the phases of an entrant, so that what is timed is what is checked.
template <Scalar T>
void solve_whole(const FactorEntrant<T>& entrant, const std::vector<Phase>& phases,
                 const Vectors<const T>& b, const Vectors<T>& x);

}  // namespace echelon::bench
