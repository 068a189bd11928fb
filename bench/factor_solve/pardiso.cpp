// bench/factor_solve/pardiso.cpp -- the contender MKL PARDISO: its forward and backward phases,
// loaded at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// PARDISO computes its own ordering (nested dissection) and permutes inside its phases, so its
// solves use the order of A.  It factors once per number of threads, because it prepares for that
// number.
#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>

#include "factor_solve/factor_contender.hpp"
#include "support/clock.hpp"
#include "support/mkl.hpp"

namespace echelon::bench {
namespace {

enum Step { release = -1, analyze = 11, factorize = 22, forwards = 331, backwards = 333 };

using Call = void (*)(void** handle, const int* most_factors, const int* factor, const int* type,
                      const int* step, const int* n, const void* a, const int* start,
                      const int* index, int* order, const int* nrhs, int* settings,
                      const int* printing, void* b, void* x, int* error);

// The upper triangle by rows, with PARDISO's index type.
template <Scalar T>
struct UpperRows {
  std::vector<int> start{0}, index;
  std::vector<T> value;

  explicit UpperRows(const CsrView<T>& a) {
    for (Index i = 0; i < a.rows; ++i) {
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
        if (a.index[p] >= i) {
          index.push_back(a.index[p]);
          value.push_back(a.value[p]);
        }
      start.push_back(static_cast<int>(index.size()));
    }
  }
};

template <Scalar T>
class Pardiso {
 public:
  Pardiso(Mkl& mkl, const CsrView<T>& a, Index threads)
      : mkl_(mkl), threads_(threads), n_(a.rows), upper_(a) {
    mkl_.find(call_, "pardiso");
    if (!mkl_.error.empty()) throw Error(ErrorCode::backend_missing, "pardiso: " + mkl_.error);
    constexpr int given = 0, ordering = 1, count_nonzeros = 17, single = 27, from_zero = 34;
    settings_[given] = 1;
    settings_[ordering] = 2;  // nested dissection
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

  double solve(Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
    if (b.leading != b.n || x.leading != x.n)
      throw Error(ErrorCode::bad_argument, "pardiso: vectors lie one after the other");
    const Step step = phase == Phase::lower ? forwards : backwards;
    return time_of([&] { run(step, b.count, const_cast<T*>(b.data), x.data); });  // b is read only
  }

 private:
  int call(Step step, int nrhs, void* b, void* x) {
    mkl_.set_threads(threads_);
    constexpr int one = 1, silent = 0, hermitian = 4, symmetric = 2;
    const int type = is_complex<T> ? hermitian : symmetric, what = step;
    int error = 0;
    call_(handle_.data(), &one, &one, &type, &what, &n_, upper_.value.data(), upper_.start.data(),
          upper_.index.data(), nullptr, &nrhs, settings_.data(), &silent, b, x, &error);
    return error;
  }
  void run(Step step, int nrhs, void* b, void* x) {
    constexpr int zero_pivot = -4;
    const int error = call(step, nrhs, b, x);
    if (error == zero_pivot)
      throw Error(ErrorCode::not_positive_definite, "the matrix is not positive definite");
    if (error != 0)
      throw Error(ErrorCode::backend_failed, "pardiso: phase " + std::to_string(step) +
                                                 " ends with error " + std::to_string(error));
  }

  Mkl& mkl_;
  Index threads_;
  int n_;
  UpperRows<T> upper_;
  Call call_ = nullptr;
  std::array<void*, 64> handle_{};
  std::array<int, 64> settings_{};
};

}  // namespace

std::string why_no_pardiso(const std::string& mkl_library) { return load_mkl(mkl_library).error; }

template <Scalar T>
FactorEntrants<T> make_pardiso(const FactorTask<T>& task, const std::vector<Index>& threads,
                               const std::string& mkl_library) {
  FactorEntrants<T> entrants;
  for (const Index count : threads) {
    FactorFacts facts{.contender = "pardiso", .method = "phases 331 and 333"};
    facts.threads = count;
    const auto package = std::make_shared<Pardiso<T>>(load_mkl(mkl_library), task.a, count);
    package->factor(facts);
    const auto solve = [package](Phase phase, const Vectors<const T>& b, const Vectors<T>& x) {
      return package->solve(phase, b, x);
    };
    entrants.push_back({facts, Frame<T>(), {Phase::lower, Phase::upper}, solve, {}});
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
