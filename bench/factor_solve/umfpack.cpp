// bench/factor_solve/umfpack.cpp -- the contender UMFPACK: its own factors, with L, with U, and
// A x = b without refinement.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/factor_contender.hpp"
#ifdef ECHELON_BENCH_UMFPACK
#include <umfpack.h>

#include <array>
#include <memory>
#include <type_traits>

#include "support/clock.hpp"
#endif

namespace echelon::bench {

#ifdef ECHELON_BENCH_UMFPACK

namespace {

// The calls for real and for complex matrices; complex entries are pairs of doubles, so the arrays
// of imaginary parts are null.
template <Scalar T>
struct UmfpackCalls;
template <>
struct UmfpackCalls<double> {
  static constexpr auto defaults = umfpack_di_defaults;
  static constexpr auto free_symbolic = umfpack_di_free_symbolic;
  static constexpr auto free_numeric = umfpack_di_free_numeric;
  static int symbolic(int n, const int* start, const int* index, const double* a, void** out,
                      const double* control, double* info) {
    return umfpack_di_symbolic(n, n, start, index, a, out, control, info);
  }
  static int numeric(const int* start, const int* index, const double* a, void* symbolic,
                     void** out, const double* control, double* info) {
    return umfpack_di_numeric(start, index, a, symbolic, out, control, info);
  }
  static int get_orders(int* rows, int* cols, int* reciprocal, double* scale, void* numeric) {
    return umfpack_di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, rows, cols,
                                  nullptr, reciprocal, scale, numeric);
  }
  static int solve(int system, const int* start, const int* index, const double* a, double* x,
                   const double* b, void* numeric, const double* control, double* info, int* ints,
                   double* space) {
    return umfpack_di_wsolve(system, start, index, a, x, b, numeric, control, info, ints, space);
  }
};
template <>
struct UmfpackCalls<std::complex<double>> {
  static constexpr auto defaults = umfpack_zi_defaults;
  static constexpr auto free_symbolic = umfpack_zi_free_symbolic;
  static constexpr auto free_numeric = umfpack_zi_free_numeric;
  static int symbolic(int n, const int* start, const int* index, const double* a, void** out,
                      const double* control, double* info) {
    return umfpack_zi_symbolic(n, n, start, index, a, nullptr, out, control, info);
  }
  static int numeric(const int* start, const int* index, const double* a, void* symbolic,
                     void** out, const double* control, double* info) {
    return umfpack_zi_numeric(start, index, a, nullptr, symbolic, out, control, info);
  }
  static int get_orders(int* rows, int* cols, int* reciprocal, double* scale, void* numeric) {
    return umfpack_zi_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, rows, cols, nullptr, nullptr, reciprocal, scale,
                                  numeric);
  }
  static int solve(int system, const int* start, const int* index, const double* a, double* x,
                   const double* b, void* numeric, const double* control, double* info, int* ints,
                   double* space) {
    return umfpack_zi_wsolve(system, start, index, a, nullptr, x, nullptr, b, nullptr, numeric,
                             control, info, ints, space);
  }
};

template <Scalar T>
class Umfpack {
 public:
  using Calls = UmfpackCalls<T>;

  Umfpack(const CsrView<T>& a, FactorFacts& facts) : a_(to_csc(a)) {
    start_.assign(a_.start.begin(), a_.start.end());
    index_.assign(a_.index.begin(), a_.index.end());
    const auto n = static_cast<std::size_t>(a.rows);
    ints_.resize(n);
    space_.resize(10 * n);  // the most that umfpack_*_wsolve asks for
    Calls::defaults(control_.data());
    control_[UMFPACK_IRSTEP] = 0;
    facts.analysis_s = time_of([&] { analyze(); });
    facts.setup_s = time_of([&] { factor(); });
    facts.stored_values = static_cast<Offset>(info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ]);
    facts.stored_bytes =
        static_cast<Offset>(info_[UMFPACK_NUMERIC_SIZE] * info_[UMFPACK_SIZE_OF_UNIT]);
  }
  ~Umfpack() {
    Calls::free_symbolic(&symbolic_);
    Calls::free_numeric(&numeric_);
  }
  Umfpack(const Umfpack&) = delete;
  Umfpack& operator=(const Umfpack&) = delete;

  double solve(Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    const int system = phase == Phase::lower   ? UMFPACK_L
                       : phase == Phase::upper ? UMFPACK_U
                                               : UMFPACK_A;
    return time_of([&] {
      for (Index k = 0; k < b.count; ++k)
        check(Calls::solve(system, start_.data(), index_.data(), doubles(a_.value.data()),
                           doubles(x.data + k * x.leading), doubles(b.data + k * b.leading),
                           numeric_, control_.data(), info_.data(), ints_.data(), space_.data()));
    });
  }

  // P R A Q = L U.
  Frame<T> frame() const {
    const std::size_t n = ints_.size();
    Frame<T> f;
    f.row_order.resize(n);
    f.col_order.resize(n);
    f.row_scale.resize(n);
    int reciprocal = 0;
    check(Calls::get_orders(f.row_order.data(), f.col_order.data(), &reciprocal, f.row_scale.data(),
                            numeric_));
    if (reciprocal == 0)
      for (double& scale : f.row_scale) scale = 1 / scale;
    return f;
  }

 private:
  Csc<T> a_;
  std::vector<int> start_, index_, ints_;
  std::vector<double> space_;
  std::array<double, UMFPACK_CONTROL> control_{};
  std::array<double, UMFPACK_INFO> info_{};
  void* symbolic_ = nullptr;
  void* numeric_ = nullptr;

  static double* doubles(T* values) { return reinterpret_cast<double*>(values); }
  static const double* doubles(const T* values) { return reinterpret_cast<const double*>(values); }

  void analyze() {
    check(Calls::symbolic(static_cast<int>(ints_.size()), start_.data(), index_.data(),
                          doubles(a_.value.data()), &symbolic_, control_.data(), info_.data()));
  }
  void factor() {
    check(Calls::numeric(start_.data(), index_.data(), doubles(a_.value.data()), symbolic_,
                         &numeric_, control_.data(), info_.data()));
  }
  static void check(int status) {
    if (status == UMFPACK_OK) return;
    throw Error(ErrorCode::backend_failed,
                status == UMFPACK_WARNING_singular_matrix
                    ? "umfpack: the matrix is singular"
                    : "umfpack: it ends with status " + std::to_string(status));
  }
};

}  // namespace

std::string why_no_umfpack() { return ""; }

template <Scalar T>
FactorEntrants<T> make_umfpack(const FactorTask<T>& task) {
  if constexpr (std::is_same_v<Real<T>, double>) {
    FactorFacts facts{.contender = "umfpack", .method = "umfpack_wsolve"};
    const auto package = std::make_shared<Umfpack<T>>(task.a, facts);
    const auto solve = [package](Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
      return package->solve(phase, b, x);
    };
    return {{std::move(facts),
             package->frame(),
             {Phase::lower, Phase::upper, Phase::whole},
             solve,
             {}}};
  } else {
    throw Error(ErrorCode::backend_missing, "UMFPACK computes in double only");
  }
}

#else

std::string why_no_umfpack() {
  return "not found when this program was built (libsuitesparse-dev)";
}

template <Scalar T>
FactorEntrants<T> make_umfpack(const FactorTask<T>&) {
  throw Error(ErrorCode::backend_missing, why_no_umfpack());
}

#endif

#define ECHELON_INSTANTIATE(T) template FactorEntrants<T> make_umfpack(const FactorTask<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
