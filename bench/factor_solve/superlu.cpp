// bench/factor_solve/superlu.cpp -- the contender SuperLU: gstrs, which solves with L and U in one
// call.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_contender.hpp"
#ifdef ECHELON_WITH_SUPERLU
#include <slu_cdefs.h>
#include <slu_ddefs.h>
#include <slu_sdefs.h>
#include <slu_zdefs.h>

#include <algorithm>
#include <type_traits>

#include "factor_solve/package_entrants.hpp"
#include "support/clock.hpp"
#endif

namespace echelon::bench {

#ifdef ECHELON_WITH_SUPERLU

namespace {

// The two functions for one scalar type.
struct Calls {
  Dtype_t type;
  decltype(&dgstrf) factor;
  decltype(&dgstrs) solve;
};
template <Scalar T>
constexpr Calls calls() {
  if constexpr (std::is_same_v<T, float>) return {SLU_S, sgstrf, sgstrs};
  if constexpr (std::is_same_v<T, double>) return {SLU_D, dgstrf, dgstrs};
  if constexpr (std::is_same_v<T, std::complex<float>>) return {SLU_C, cgstrf, cgstrs};
  if constexpr (std::is_same_v<T, std::complex<double>>) return {SLU_Z, zgstrf, zgstrs};
}

// R A C by columns, with SuperLU's index type.
template <Scalar T>
struct ScaledColumns {
  std::vector<int> start, index;
  Csc<T> a;

  ScaledColumns(const CsrView<T>& from, const Factors<T>& f) : a(to_csc(from)) {
    start.assign(a.start.begin(), a.start.end());
    index.assign(a.index.begin(), a.index.end());
    for (Index j = 0; j < a.cols; ++j)
      for (Offset p = a.start[j]; p < a.start[j + 1]; ++p) {
        if (!f.row_scale.empty()) a.value[p] *= f.row_scale[a.index[p]];
        if (!f.col_scale.empty()) a.value[p] *= f.col_scale[j];
      }
  }
};

template <Scalar T>
class SuperLu {
 public:
  SuperLu() { StatInit(&statistics_); }
  ~SuperLu() {
    if (lower_.Store != nullptr) Destroy_SuperNode_Matrix(&lower_);
    if (upper_.Store != nullptr) Destroy_CompCol_Matrix(&upper_);
    StatFree(&statistics_);
  }
  SuperLu(const SuperLu&) = delete;
  SuperLu& operator=(const SuperLu&) = delete;

  void factor(const FactorTask<T>& task, FactorFacts& facts) {
    perm_c_.resize(static_cast<std::size_t>(task.a.cols));
    perm_r_.resize(perm_c_.size());
    for (Index j = 0; j < task.a.cols; ++j)
      perm_c_[task.factors.col_order.empty() ? j : task.factors.col_order[j]] = j;
    frame_.row_scale = task.factors.row_scale;
    frame_.col_scale = task.factors.col_scale;
    ScaledColumns<T> columns(task.a, task.factors);
    NCformat store{static_cast<int>(columns.index.size()), columns.a.value.data(),
                   columns.index.data(), columns.start.data()};
    SuperMatrix a{SLU_NC, calls<T>().type, SLU_GE, task.a.rows, task.a.cols, &store};
    superlu_options_t options = options_for(task);
    factor(options, a, facts);
  }

  // gstrs permutes, in place; copying b is not timed.  A whole solve scales around it.
  double solve(Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    for (Index k = 0; k < b.count; ++k)
      std::copy_n(b.data + k * b.leading, b.n, x.data + k * x.leading);
    const bool whole = phase == Phase::whole;
    DNformat store{static_cast<int>(x.leading), x.data};
    SuperMatrix right{SLU_DN, calls<T>().type, SLU_GE, x.n, x.count, &store};
    int status = 0;
    const double seconds = time_of([&] {
      if (whole) scale(frame_.row_scale, x);
      calls<T>().solve(NOTRANS, &lower_, &upper_, perm_c_.data(), perm_r_.data(), &right,
                       &statistics_, &status);
      if (whole) scale(frame_.col_scale, x);
    });
    if (status != 0) fail("gstrs", status);
    return seconds;
  }

  const Frame<T>& frame() const { return frame_; }
  Offset stored_values() const { return lower_store().nzval_colptr[upper_.ncol] + upper_count(); }
  Offset stored_indices() const { return lower_store().rowind_colptr[upper_.ncol] + upper_count(); }

 private:
  std::vector<int> perm_c_, perm_r_;
  Frame<T> frame_;  // scaling only: gstrs permutes itself
  SuperMatrix lower_{};
  SuperMatrix upper_{};
  SuperLUStat_t statistics_{};

  const SCformat& lower_store() const { return *static_cast<const SCformat*>(lower_.Store); }
  Offset upper_count() const { return static_cast<const NCformat*>(upper_.Store)->nnz; }

  static void scale(const std::vector<Real<T>>& by, const Vectors<T>& x) {
    if (by.empty()) return;
    for (Index k = 0; k < x.count; ++k)
      for (Index i = 0; i < x.n; ++i) x.data[i + k * x.leading] *= by[i];
  }

  [[noreturn]] static void fail(const char* call, int status) {
    throw Error(ErrorCode::backend_failed,
                std::string("superlu: ") + call + " ends with " + std::to_string(status));
  }

  static bool is_positive(const Factors<T>& f) {
    return f.symmetric &&
           std::all_of(f.diagonal.begin(), f.diagonal.end(), [](T d) { return std::real(d) > 0; });
  }

  // The pivots chosen for the task; a Hermitian positive definite matrix keeps its diagonal.
  static superlu_options_t options_for(const FactorTask<T>& task) {
    superlu_options_t options;
    set_default_options(&options);
    options.ColPerm = MY_PERMC;
    options.PrintStat = NO;
    const FactorOptions& o = task.factor_options;
    options.DiagPivotThresh = is_positive(task.factors) ? 0 : o.pivot_threshold;
    options.SymmetricMode = task.factors.symmetric || o.symmetric_mode ? YES : NO;
    return options;
  }

  void factor(superlu_options_t& options, SuperMatrix& a, FactorFacts& facts) {
    std::vector<int> tree(perm_c_.size());
    SuperMatrix permuted{};
    facts.analysis_s =
        time_of([&] { sp_preorder(&options, &a, perm_c_.data(), tree.data(), &permuted); });
    GlobalLU_t space{};
    int status = 0;
    facts.setup_s = time_of([&] {
      calls<T>().factor(&options, &permuted, sp_ienv(2), sp_ienv(1), tree.data(), nullptr, 0,
                        perm_c_.data(), perm_r_.data(), &lower_, &upper_, &space, &statistics_,
                        &status);
    });
    Destroy_CompCol_Permuted(&permuted);
    if (status != 0) fail("gstrf", status);
  }
};

}  // namespace

std::string why_no_superlu() { return ""; }

template <Scalar T>
FactorEntrants<T> make_superlu(const FactorTask<T>& task, const std::vector<Index>& threads) {
  return make_package_entrants<SuperLu<T>>(
      task, threads, {.contender = "superlu", .method = "gstrs"}, {Phase::both, Phase::whole});
}

#else

std::string why_no_superlu() { return "not found when this program was built (libsuperlu-dev)"; }

template <Scalar T>
FactorEntrants<T> make_superlu(const FactorTask<T>&, const std::vector<Index>&) {
  throw Error(ErrorCode::backend_missing, why_no_superlu());
}

#endif

#define ECHELON_INSTANTIATE(T) \
  template FactorEntrants<T> make_superlu(const FactorTask<T>&, const std::vector<Index>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
