// bench/factor_solve/factor_contender.hpp -- contenders for solves with the triangles of a
// factorization: Echelon's methods, CHOLMOD, SuperLU, UMFPACK, KLU, PARDISO, cuSPARSE and cuDSS.
// SPDX-License-Identifier: BSD-3-Clause
//
// Fairness.  All use the same matrix, ordering, pivots and scaling; CHOLMOD and SuperLU factor the
// matrix once more themselves and solve with their own factors.  PARDISO, UMFPACK, KLU and cuDSS
// factor by their own rules, with their own orderings.  Preparation is not limited in time.  The
// clock measures one triangular solve from b to x, in factor order; PARDISO permutes inside its two
// phases, and SuperLU's gstrs does both triangles, with the permutations, in place.  A whole solve
// is A x = b with permutations and scaling, without refinement, for all.  BLAS has as many threads
// as Echelon.  On a device the vectors of Echelon, cuSPARSE and cuDSS are in device memory, and the
// device's clock is used; cuSPARSE has both triangles by rows.
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
  FactorOptions factor_options;  // used for `factors`
  Options options;               // for Echelon; method and threads are set separately
  Index setups = 0;     // timed constructions of Echelon's solvers; 0: three if quick, else one
  bool updates = true;  // time updates of Echelon's solvers
};

// L, U, both triangles in one call, and A x = b.
enum class Phase { lower, upper, both, whole };
constexpr auto names(Phase) {
  return name_table<Phase>({{Phase::lower, "lower"},
                            {Phase::upper, "upper"},
                            {Phase::both, "both"},
                            {Phase::whole, "whole"}});
}

// The properties of a contender, known before it is timed.
struct FactorFacts {
  std::string contender;  // "echelon:tree", "cholmod", "superlu", "umfpack", ...
  std::string method;     // the method it uses
  std::string reason = {};
  bool own_threads = false;  // its threads belong to BLAS or OpenMP, not to Echelon
  Index threads = 1;
  double analysis_s = 0;     // ordering and symbolic analysis, of CHOLMOD and SuperLU
  double setup_s = 0;        // numeric factorization (CHOLMOD, SuperLU); upload (cuSPARSE)
  Index setups = 1;          // number of times both were measured
  double update_s = 0;       // Echelon: new values for the same pattern; 0: not measured
  Offset stored_values = 0;  // of both triangles, including explicit zeros and padding
  Offset stored_bytes = 0;   // including indices
  DirectReport report = {};  // Echelon only
};

// One contender with its number of threads, ready to solve.
template <Scalar T>
struct FactorEntrant {
  FactorFacts facts;
  Frame<T> frame;             // converts between the order of A and the order of the solves
  std::vector<Phase> phases;  // in the order of the enum; lower and upper come together
  // x = L \ b, U \ b, both, or A \ b; returns seconds.  Vectors by columns.
  std::function<double(Phase, const Vectors<const T>& b, const Vectors<T>& x)> solve;
  // Times each level of such a solve on a device; empty if the method has no launches per level.
  std::function<std::vector<LevelTime>(Phase, const Vectors<const T>& b, const Vectors<T>& x)>
      levels;
  bool chained = true;  // upper continues from the x of lower: the two are checked as one solve
};

template <Scalar T>
using FactorEntrants = std::vector<FactorEntrant<T>>;

// Each makes one entrant per number of threads; the task must outlive them.  CHOLMOD and SuperLU
// factor once for all, UMFPACK and KLU solve on one thread.  They throw the library's errors,
// backend_missing, or backend_failed with the contender's message.
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
template <Scalar T>
FactorEntrants<T> make_umfpack(const FactorTask<T>& task);
template <Scalar T>
FactorEntrants<T> make_klu(const FactorTask<T>& task);
// One entrant on the device, for `nrhs` right-hand sides.
template <Scalar T>
FactorEntrants<T> make_cusparse(const FactorTask<T>& task, Index nrhs);
template <Scalar T>
FactorEntrants<T> make_cudss(const FactorTask<T>& task, Index nrhs,
                             const std::string& cudss_library);

// The reason why a contender cannot run here; empty if it can.  For cuSPARSE see
// support/cusparse.hpp.
std::string why_no_cholmod();
std::string why_no_superlu();
std::string why_no_umfpack();
std::string why_no_klu();
std::string why_no_cudss(const std::string& cudss_library);
std::string why_no_pardiso(const std::string& mkl_library);

// Solves A x = b with phases of an entrant, so that the timed code is the checked code.
template <Scalar T>
void solve_whole(const FactorEntrant<T>& entrant, const std::vector<Phase>& phases,
                 const Vectors<const T>& b, const Vectors<T>& x);

}  // namespace echelon::bench
