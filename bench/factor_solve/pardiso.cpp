// bench/factor_solve/pardiso.cpp -- the contender MKL PARDISO: its forward and backward phases,
// loaded at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// PARDISO computes its own ordering (nested dissection) and permutes inside its phases, so its
// solves use the order of A.  It factors once per number of threads, because it prepares for that
// number.  The phases do not refine.
#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>

#include "factor_solve/factor_contender.hpp"
#include "factor_solve/matrix_kind.hpp"
#include "support/clock.hpp"
#include "support/mkl.hpp"

namespace echelon::bench {
namespace {

enum Step {
  release = -1,
  analyze = 11,
  factorize = 22,
  forwards = 331,
  diagonal = 332,
  backwards = 333
};

using Call = void (*)(void** handle, const int* most_factors, const int* factor, const int* type,
                      const int* step, const int* n, const void* a, const int* start,
                      const int* index, int* order, const int* nrhs, int* settings,
                      const int* printing, void* b, void* x, int* error);

// PARDISO's number of a kind of matrix.
template <Scalar T>
int type_of(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::positive:
      return is_complex<T> ? 4 : 2;
    case MatrixKind::hermitian:
      return is_complex<T> ? -4 : -2;
    case MatrixKind::symmetric:
      return 6;
    case MatrixKind::general:
      break;
  }
  return is_complex<T> ? 13 : 11;
}

template <Scalar T>
class Pardiso {
 public:
  Pardiso(Mkl& mkl, const CsrView<T>& a, MatrixKind kind, Index threads)
      : mkl_(mkl), kind_(kind), threads_(threads), n_(a.rows), rows_(package_rows(a, kind)) {
    mkl_.find(call_, "pardiso");
    if (!mkl_.error.empty()) throw Error(ErrorCode::backend_missing, "pardiso: " + mkl_.error);
    constexpr int given = 0, ordering = 1, perturbation = 9, scaling = 10, matching = 12,
                  count_nonzeros = 17, pivots_2x2 = 20, single = 27, from_zero = 34;
    const bool positive = kind == MatrixKind::positive;
    settings_[given] = 1;
    settings_[ordering] = 2;  // nested dissection
    // MKL's defaults for unsymmetric matrices; scaling and matching are also what its manual
    // advises for saddle points.
    settings_[perturbation] = kind == MatrixKind::general ? 13 : 8;
    settings_[scaling] = settings_[matching] = settings_[pivots_2x2] = positive ? 0 : 1;
    settings_[count_nonzeros] = -1;
    settings_[single] = std::is_same_v<Real<T>, float> ? 1 : 0;
    settings_[from_zero] = 1;
  }
  ~Pardiso() { call(release, 1, nullptr, nullptr); }
  Pardiso(const Pardiso&) = delete;
  Pardiso& operator=(const Pardiso&) = delete;

  void factor(FactorFacts& facts) {
    facts.analysis_s = time_of([&] { run(analyze, 1, nullptr, nullptr); });
    facts.setup_s = time_of([&] { run(factorize, 1, nullptr, nullptr); });
    facts.stored_values = settings_[17];
    facts.stored_bytes = facts.stored_values * static_cast<Offset>(sizeof(T));
  }

  // Indefinite matrices have a block diagonal, solved with U.
  double solve(Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    if (b.leading != b.n || x.leading != x.n)
      throw Error(ErrorCode::bad_argument, "pardiso: vectors lie one after the other");
    first_.resize(static_cast<std::size_t>(b.n) * static_cast<std::size_t>(b.count));
    second_.resize(first_.size());
    T* from = const_cast<T*>(b.data);  // read only
    return time_of([&] {
      if (phase != Phase::upper) {
        T* const to = phase == Phase::lower ? x.data : first_.data();
        run(forwards, b.count, from, to);
        from = to;
      }
      if (phase == Phase::lower) return;
      if (has_diagonal()) {
        run(diagonal, b.count, from, second_.data());
        from = second_.data();
      }
      run(backwards, b.count, from, x.data);
    });
  }

 private:
  bool has_diagonal() const {
    return kind_ == MatrixKind::hermitian || kind_ == MatrixKind::symmetric;
  }
  int call(Step step, int nrhs, void* b, void* x) {
    mkl_.set_threads(threads_);
    constexpr int one = 1, silent = 0;
    const int type = type_of<T>(kind_), what = step;
    int error = 0;
    call_(handle_.data(), &one, &one, &type, &what, &n_, rows_.value.data(), rows_.start.data(),
          rows_.index.data(), nullptr, &nrhs, settings_.data(), &silent, b, x, &error);
    return error;
  }
  void run(Step step, int nrhs, void* b, void* x) {
    constexpr int zero_pivot = -4;
    const int error = call(step, nrhs, b, x);
    if (error == zero_pivot)
      throw Error(ErrorCode::not_positive_definite, "pardiso: a pivot is zero or not positive");
    if (error != 0)
      throw Error(ErrorCode::backend_failed, "pardiso: phase " + std::to_string(step) +
                                                 " ends with error " + std::to_string(error));
  }

  Mkl& mkl_;
  MatrixKind kind_;
  Index threads_;
  int n_;
  PackageRows<T> rows_;
  std::vector<T> first_, second_;  // between the phases of one solve
  Call call_ = nullptr;
  std::array<void*, 64> handle_{};
  std::array<int, 64> settings_{};
};

// Cholesky if the matrix may be positive definite and is; else the factorization of its kind.
template <Scalar T>
std::shared_ptr<Pardiso<T>> factor_pardiso(Mkl& mkl, const CsrView<T>& a, MatrixKind& kind,
                                           FactorFacts& facts) {
  try {
    auto package = std::make_shared<Pardiso<T>>(mkl, a, kind, facts.threads);
    package->factor(facts);
    return package;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::not_positive_definite || kind != MatrixKind::positive) throw;
  }
  kind = MatrixKind::hermitian;
  return factor_pardiso(mkl, a, kind, facts);
}

}  // namespace

std::string why_no_pardiso(const std::string& mkl_library) { return load_mkl(mkl_library).error; }

template <Scalar T>
FactorEntrants<T> make_pardiso(const FactorTask<T>& task, const std::vector<Index>& threads,
                               const std::string& mkl_library) {
  FactorEntrants<T> entrants;
  MatrixKind kind = find_matrix_kind(task.a);
  for (const Index count : threads) {
    FactorFacts facts{.contender = "pardiso", .method = "phases 331 and 333"};
    facts.threads = count;
    facts.own_threads = true;
    const auto package = factor_pardiso(load_mkl(mkl_library), task.a, kind, facts);
    const auto solve = [package](Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
      return package->solve(phase, b, x);
    };
    entrants.push_back({facts, Frame<T>(), {Phase::lower, Phase::upper, Phase::whole}, solve, {}});
  }
  return entrants;
}

#define ECHELON_INSTANTIATE(T)                                                             \
  template FactorEntrants<T> make_pardiso(const FactorTask<T>&, const std::vector<Index>&, \
                                          const std::string&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
