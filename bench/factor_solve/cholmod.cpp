// bench/factor_solve/cholmod.cpp -- the contender CHOLMOD: cholmod_solve2 with L, with L' and with
// A.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_contender.hpp"
#ifdef ECHELON_WITH_CHOLMOD
#include <cholmod.h>

#include <algorithm>
#include <type_traits>

#include "factor_solve/package_entrants.hpp"
#include "support/clock.hpp"
#endif

namespace echelon::bench {

#ifdef ECHELON_WITH_CHOLMOD

namespace {

template <Scalar T>
constexpr int value_type = is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL;

// The lower triangle of a Hermitian matrix by columns, with CHOLMOD's index type.
template <Scalar T>
struct LowerColumns {
  std::vector<int> start, index;
  Csc<T> a;

  explicit LowerColumns(const CsrView<T>& from) : a(to_csc(from)) {
    start.assign(a.start.begin(), a.start.end());
    index.assign(a.index.begin(), a.index.end());
  }
  cholmod_sparse view() {
    cholmod_sparse s{};
    s.nrow = s.ncol = static_cast<std::size_t>(a.rows);
    s.nzmax = a.index.size();
    s.p = start.data();
    s.i = index.data();
    s.x = a.value.data();
    s.stype = -1;  // Hermitian; entries above the diagonal are not read
    s.itype = CHOLMOD_INT;
    s.xtype = value_type<T>;
    s.dtype = CHOLMOD_DOUBLE;
    s.sorted = s.packed = 1;
    return s;
  }
};

template <Scalar T>
cholmod_dense dense_view(const Vectors<const T>& b) {
  cholmod_dense d{};
  d.nrow = static_cast<std::size_t>(b.n);
  d.ncol = static_cast<std::size_t>(b.count);
  d.d = static_cast<std::size_t>(b.leading);
  d.nzmax = d.d * d.ncol;
  d.x = const_cast<T*>(b.data);  // not written
  d.xtype = value_type<T>;
  d.dtype = CHOLMOD_DOUBLE;
  return d;
}

// A CHOLMOD factor with the workspace of its solves.
template <Scalar T>
class Cholmod {
 public:
  Cholmod() { cholmod_start(&common_); }
  ~Cholmod() {
    for (cholmod_dense** d : {&x_, &y_, &e_}) cholmod_free_dense(d, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  void factor(const FactorTask<T>& task, FactorFacts& facts) {
    common_.print = 0;
    common_.nmethods = 1;
    // A factorization with D is LDL', of a matrix that may be indefinite.
    const bool simplicial = task.factor_options.simplicial ||
                            (task.factors.symmetric && !task.factors.diagonal.empty());
    common_.supernodal = simplicial ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
    common_.final_ll = simplicial ? 0 : 1;
    std::vector<int> order(task.factors.col_order.begin(), task.factors.col_order.end());
    common_.method[0].ordering = order.empty() ? CHOLMOD_NATURAL : CHOLMOD_GIVEN;
    LowerColumns<T> columns(task.a);
    cholmod_sparse a = columns.view();
    facts.analysis_s = time_of([&] {
      factor_ = cholmod_analyze_p(&a, order.empty() ? nullptr : order.data(), nullptr, 0, &common_);
    });
    check();
    facts.setup_s = time_of([&] { cholmod_factorize(&a, factor_, &common_); });
    check();
  }

  double solve(Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    cholmod_dense right = dense_view(b);
    const int system = phase == Phase::lower   ? CHOLMOD_L
                       : phase == Phase::upper ? CHOLMOD_Lt
                                               : CHOLMOD_A;
    const double seconds = time_of([&] {
      cholmod_solve2(system, factor_, &right, nullptr, &x_, nullptr, &y_, &e_, &common_);
    });
    check();
    const T* answer = static_cast<const T*>(x_->x);
    for (Index k = 0; k < b.count; ++k)
      std::copy_n(answer + static_cast<std::size_t>(k) * x_->d, b.n, x.data + k * x.leading);
    return seconds;
  }

  Frame<T> frame() const {
    const auto* order = static_cast<const int*>(factor_->Perm);
    Frame<T> f;
    f.row_order.assign(order, order + factor_->n);
    f.col_order = f.row_order;
    if (factor_->is_ll != 0) return f;
    const auto* start = static_cast<const int*>(factor_->p);
    const auto* value = static_cast<const T*>(factor_->x);
    for (std::size_t j = 0; j < factor_->n; ++j) f.diagonal.push_back(value[start[j]]);
    return f;
  }
  Offset stored_values() const {
    return static_cast<Offset>(factor_->is_super != 0 ? factor_->xsize : factor_->nzmax);
  }
  Offset stored_indices() const {
    return static_cast<Offset>(factor_->is_super != 0 ? factor_->ssize : factor_->nzmax);
  }

 private:
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* x_ = nullptr;
  cholmod_dense* y_ = nullptr;
  cholmod_dense* e_ = nullptr;

  void check() const {
    if (common_.status < CHOLMOD_OK)
      throw Error(ErrorCode::backend_failed,
                  "cholmod: it ends with status " + std::to_string(common_.status));
    if (common_.status == CHOLMOD_NOT_POSDEF)
      throw Error(ErrorCode::not_positive_definite, "the matrix is not positive definite");
  }
};

}  // namespace

std::string why_no_cholmod() { return ""; }

template <Scalar T>
FactorEntrants<T> make_cholmod(const FactorTask<T>& task, const std::vector<Index>& threads) {
  if constexpr (std::is_same_v<Real<T>, double>)
    return make_package_entrants<Cholmod<T>>(task, threads,
                                             {.contender = "cholmod", .method = "cholmod_solve2"},
                                             {Phase::lower, Phase::upper, Phase::whole});
  else
    throw Error(ErrorCode::backend_missing, "this CHOLMOD computes in double only");
}

#else

std::string why_no_cholmod() {
  return "not found when this program was built (libsuitesparse-dev)";
}

template <Scalar T>
FactorEntrants<T> make_cholmod(const FactorTask<T>&, const std::vector<Index>&) {
  throw Error(ErrorCode::backend_missing, why_no_cholmod());
}

#endif

#define ECHELON_INSTANTIATE(T) \
  template FactorEntrants<T> make_cholmod(const FactorTask<T>&, const std::vector<Index>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
