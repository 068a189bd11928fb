// bench/factor_solve/klu.cpp -- the contender KLU: its own factors in block triangular form, solved
// by klu_solve.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_contender.hpp"
#ifdef ECHELON_BENCH_KLU
#include <klu.h>

#include <algorithm>
#include <memory>
#include <type_traits>

#include "support/clock.hpp"
#endif

namespace echelon::bench {

#ifdef ECHELON_BENCH_KLU

namespace {

template <Scalar T>
class Klu {
 public:
  Klu(const CsrView<T>& a, FactorFacts& facts) : a_(to_csc(a)) {
    start_.assign(a_.start.begin(), a_.start.end());
    index_.assign(a_.index.begin(), a_.index.end());
    klu_defaults(&common_);
    facts.analysis_s =
        time_of([&] { symbolic_ = klu_analyze(a_.rows, start_.data(), index_.data(), &common_); });
    check(symbolic_ != nullptr);
    facts.setup_s = time_of([&] { factor(); });
    check(numeric_ != nullptr);
    facts.stored_values =
        Offset{numeric_->lnz} + Offset{numeric_->unz} + Offset{numeric_->nzoff} - a_.rows;
    facts.stored_bytes = facts.stored_values * static_cast<Offset>(sizeof(T) + sizeof(int));
  }
  ~Klu() {
    klu_free_symbolic(&symbolic_, &common_);
    if constexpr (is_complex<T>)
      klu_z_free_numeric(&numeric_, &common_);
    else
      klu_free_numeric(&numeric_, &common_);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  // In place, as KLU works; copying b is not timed.
  double solve(const Vectors<const T>& b, const Vectors<T>& x) {
    for (Index k = 0; k < b.count; ++k)
      std::copy_n(b.data + k * b.leading, b.n, x.data + k * x.leading);
    int done = 0;
    auto* const values = reinterpret_cast<double*>(x.data);
    const auto leading = static_cast<int>(x.leading);
    const double seconds = time_of([&] {
      if constexpr (is_complex<T>)
        done = klu_z_solve(symbolic_, numeric_, leading, x.count, values, &common_);
      else
        done = klu_solve(symbolic_, numeric_, leading, x.count, values, &common_);
    });
    check(done != 0);
    return seconds;
  }

 private:
  Csc<T> a_;
  std::vector<int> start_, index_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;

  void factor() {
    auto* const values = reinterpret_cast<double*>(a_.value.data());
    if constexpr (is_complex<T>)
      numeric_ = klu_z_factor(start_.data(), index_.data(), values, symbolic_, &common_);
    else
      numeric_ = klu_factor(start_.data(), index_.data(), values, symbolic_, &common_);
  }
  void check(bool done) const {
    if (done && common_.status == KLU_OK) return;
    throw Error(ErrorCode::backend_failed,
                common_.status == KLU_SINGULAR
                    ? "klu: the matrix is singular"
                    : "klu: it ends with status " + std::to_string(common_.status));
  }
};

}  // namespace

std::string why_no_klu() { return ""; }

template <Scalar T>
FactorEntrants<T> make_klu(const FactorTask<T>& task) {
  if constexpr (std::is_same_v<Real<T>, double>) {
    FactorFacts facts{.contender = "klu", .method = "klu_solve"};
    const auto package = std::make_shared<Klu<T>>(task.a, facts);
    const auto solve = [package](Phase, const Vectors<const T>& b, const Vectors<T>& x) {
      return package->solve(b, x);
    };
    return {{std::move(facts), {}, {Phase::whole}, solve, {}}};
  } else {
    throw Error(ErrorCode::backend_missing, "KLU computes in double only");
  }
}

#else

std::string why_no_klu() { return "not found when this program was built (libsuitesparse-dev)"; }

template <Scalar T>
FactorEntrants<T> make_klu(const FactorTask<T>&) {
  throw Error(ErrorCode::backend_missing, why_no_klu());
}

#endif

#define ECHELON_INSTANTIATE(T) template FactorEntrants<T> make_klu(const FactorTask<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
