// bench/general/mkl.cpp -- the contender MKL: mkl_sparse_?_trsv or trsm, with hint and optimize,
// loaded at run time.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/mkl.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

#include "contender.hpp"
#include "support/clock.hpp"

namespace echelon::bench {
namespace {

// The part of MKL's C interface (32-bit integers) that is used here, declared so that a build does
// not need its headers.
using Matrix = void*;
struct MatrixDescription {
  int type;
  int fill;
  int diagonal;
};
constexpr int operation_none = 10;
constexpr int type_triangular = 23;
constexpr int fill_lower = 40;
constexpr int fill_upper = 41;
constexpr int diagonal_stored = 50;
constexpr int base_zero = 0;
constexpr int layout_columns = 102;
constexpr int many_calls = 1000;  // the hint for the expected number of solves

template <Scalar T>
using CreateRows = int (*)(Matrix*, int, int, int, int*, int*, int*, T*);
template <Scalar T>
using Solve = int (*)(int, T, Matrix, MatrixDescription, const T*, T*);
template <Scalar T>
using SolveSeveral = int (*)(int, T, Matrix, MatrixDescription, int, const T*, int, int, T*, int);

// The functions that do not depend on the scalar type.
struct Calls {
  explicit Calls(Mkl& mkl) {
    mkl.find(set_hint, "mkl_sparse_set_sv_hint");
    mkl.find(set_hint_of_several, "mkl_sparse_set_sm_hint");
    mkl.find(optimize, "mkl_sparse_optimize");
    mkl.find(destroy, "mkl_sparse_destroy");
  }
  int (*set_hint)(Matrix, int, MatrixDescription, int) = nullptr;
  int (*set_hint_of_several)(Matrix, int, MatrixDescription, int, int, int) = nullptr;
  int (*optimize)(Matrix) = nullptr;
  int (*destroy)(Matrix) = nullptr;
};

template <Scalar T>
std::string letter() {
  if constexpr (is_complex<T>) return std::is_same_v<Real<T>, float> ? "c" : "z";
  return std::is_same_v<T, float> ? "s" : "d";
}

void check(int status, const char* call) {
  if (status != 0)
    throw Error(ErrorCode::backend_failed,
                std::string("mkl: ") + call + " gives status " + std::to_string(status));
}

// An MKL matrix over the task's arrays.
template <Scalar T>
class MklMatrix {
 public:
  MklMatrix(Mkl& mkl, const Task<T>& task, Index threads)
      : mkl_(mkl),
        calls_(mkl),
        threads_(threads),
        n_(task.triangle.rows),
        nrhs_(task.nrhs),
        description_{type_triangular, task.part == Uplo::lower ? fill_lower : fill_upper,
                     diagonal_stored} {
    CreateRows<T> create = nullptr;
    mkl_.find(create, "mkl_sparse_" + letter<T>() + "_create_csr");
    mkl_.find(solve_, "mkl_sparse_" + letter<T>() + "_trsv");
    mkl_.find(solve_several_, "mkl_sparse_" + letter<T>() + "_trsm");
    if (!mkl_.error.empty()) throw Error(ErrorCode::backend_missing, "mkl: " + mkl_.error);
    // MKL's interface is not const-correct; it does not write to the arrays.
    int* start = const_cast<int*>(task.start.data());
    const Csr<T>& a = task.triangle;
    check(create(&matrix_, base_zero, a.rows, a.cols, start, start + 1,
                 const_cast<int*>(a.index.data()), const_cast<T*>(a.value.data())),
          "mkl_sparse_create_csr");
  }
  ~MklMatrix() { calls_.destroy(matrix_); }
  MklMatrix(const MklMatrix&) = delete;
  MklMatrix& operator=(const MklMatrix&) = delete;

  void optimize() {
    mkl_.set_threads(threads_);
    if (nrhs_ == 1)
      check(calls_.set_hint(matrix_, operation_none, description_, many_calls),
            "mkl_sparse_set_sv_hint");
    else
      check(calls_.set_hint_of_several(matrix_, operation_none, description_, layout_columns, nrhs_,
                                       many_calls),
            "mkl_sparse_set_sm_hint");
    check(calls_.optimize(matrix_), "mkl_sparse_optimize");
  }
  double solve(const T* b, T* x) {
    mkl_.set_threads(threads_);
    int status = 0;
    const double seconds = time_of([&] {
      status = nrhs_ == 1 ? solve_(operation_none, T(1), matrix_, description_, b, x)
                          : solve_several_(operation_none, T(1), matrix_, description_,
                                           layout_columns, b, nrhs_, n_, x, n_);
    });
    check(status, routine());
    return seconds;
  }
  const char* routine() const { return nrhs_ == 1 ? "mkl_sparse_trsv" : "mkl_sparse_trsm"; }

 private:
  Mkl& mkl_;
  Calls calls_;
  Index threads_, n_, nrhs_;
  MatrixDescription description_;
  Matrix matrix_ = nullptr;
  Solve<T> solve_ = nullptr;
  SolveSeveral<T> solve_several_ = nullptr;
};

}  // namespace

std::string why_no_mkl(const Settings& s) { return load_mkl(s.mkl_library).error; }

template <Scalar T>
Entrant<T> make_mkl(const Task<T>& task, Index threads, const Settings& s) {
  Mkl& mkl = load_mkl(s.mkl_library);
  if (!mkl.error.empty()) throw Error(ErrorCode::backend_missing, "mkl: " + mkl.error);
  if (task.start.empty())
    throw Error(ErrorCode::backend_failed, "mkl: 32-bit row starts do not reach so many entries");
  const auto matrix = std::make_shared<MklMatrix<T>>(mkl, task, threads);
  Facts facts{"mkl", matrix->routine()};
  facts.analysis_s = time_of([&] { matrix->optimize(); });
  facts.threads = threads;
  facts.matrix_bytes = row_bytes(task);
  const auto solve = [matrix, &task, in_place = s.in_place](std::span<T> x) {
    if (in_place) std::copy(task.b.begin(), task.b.end(), x.begin());
    return matrix->solve(in_place ? x.data() : task.b.data(), x.data());
  };
  return {std::move(facts), solve};
}

#define ECHELON_INSTANTIATE(T) template Entrant<T> make_mkl(const Task<T>&, Index, const Settings&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
