// bench/general/mkl.cpp -- the contender MKL: mkl_sparse_?_trsv with hint and optimize, from a
// library found at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Threads.  This program runs on GNU's OpenMP, and MKL is told to do so too: the threads of
// Intel's OpenMP would stand beside ours, ask the other runtime for their numbers, and wait for
// ever.  Both then use one team, and neither spins while the other is timed.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>

#include "contender.hpp"
#include "support/clock.hpp"

namespace echelon::bench {
namespace {

// The few things of MKL's C interface (32-bit integers) that are called, declared here so that
// its headers are not needed to build.
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
constexpr int interface_32_bits = 0;
constexpr int layer_sequential = 1;
constexpr int layer_gnu = 3;
constexpr int many_calls = 1000;  // the hint: solve often

template <Scalar T>
using CreateRows = int (*)(Matrix*, int, int, int, int*, int*, int*, T*);
template <Scalar T>
using Solve = int (*)(int, T, Matrix, MatrixDescription, const T*, T*);

// The library, loaded once and kept until the end.
struct Mkl {
  void* library = nullptr;
  std::string error;
  int (*set_hint)(Matrix, int, MatrixDescription, int) = nullptr;
  int (*optimize)(Matrix) = nullptr;
  int (*destroy)(Matrix) = nullptr;
  void (*set_threads)(int) = nullptr;

  template <class Function>
  void find(Function& f, const std::string& symbol) {
    f = reinterpret_cast<Function>(dlsym(library, symbol.c_str()));
    if (f == nullptr && error.empty()) error = "the library has no " + symbol;
  }
};

void* open_library(const std::string& path, std::string& error) {
  const std::array<const char*, 4> usual{"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1",
                                         "libmkl_rt.so"};
  const auto open = [](const char* file) { return dlopen(file, RTLD_NOW | RTLD_GLOBAL); };
  if (!path.empty()) {
    void* library = open(path.c_str());
    if (library == nullptr) error = dlerror();
    return library;
  }
  for (const char* file : usual)
    if (void* library = open(file)) return library;
  error = "no libmkl_rt found; --mkl-library FILE names one";
  return nullptr;
}

Mkl load(const std::string& path) {
  Mkl mkl;
  mkl.library = open_library(path, mkl.error);
  if (mkl.library == nullptr) return mkl;
  int (*set_interface)(int) = nullptr;
  int (*set_layer)(int) = nullptr;
  void (*set_dynamic)(int) = nullptr;
  mkl.find(set_interface, "MKL_Set_Interface_Layer");
  mkl.find(set_layer, "MKL_Set_Threading_Layer");
  mkl.find(set_dynamic, "MKL_Set_Dynamic");
  mkl.find(mkl.set_threads, "MKL_Set_Num_Threads");
  mkl.find(mkl.set_hint, "mkl_sparse_set_sv_hint");
  mkl.find(mkl.optimize, "mkl_sparse_optimize");
  mkl.find(mkl.destroy, "mkl_sparse_destroy");
  if (!mkl.error.empty()) return mkl;
  set_interface(interface_32_bits);
  if (set_layer(layer_gnu) != layer_gnu) set_layer(layer_sequential);
  set_dynamic(0);
  return mkl;
}

Mkl& loaded(const Settings& s) {
  static Mkl mkl = load(s.mkl_library);
  return mkl;
}

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

// A matrix as MKL keeps it, over the task's arrays.
template <Scalar T>
class MklMatrix {
 public:
  MklMatrix(Mkl& mkl, const Task<T>& task, Index threads)
      : mkl_(mkl),
        threads_(threads),
        description_{type_triangular, task.part == Uplo::lower ? fill_lower : fill_upper,
                     diagonal_stored} {
    CreateRows<T> create = nullptr;
    mkl_.find(create, "mkl_sparse_" + letter<T>() + "_create_csr");
    mkl_.find(solve_, "mkl_sparse_" + letter<T>() + "_trsv");
    if (!mkl_.error.empty()) throw Error(ErrorCode::backend_missing, "mkl: " + mkl_.error);
    // MKL's interface is not const-correct; it does not write to the arrays.
    int* start = const_cast<int*>(task.start.data());
    const Csr<T>& a = task.triangle;
    check(create(&matrix_, base_zero, a.rows, a.cols, start, start + 1,
                 const_cast<int*>(a.index.data()), const_cast<T*>(a.value.data())),
          "mkl_sparse_create_csr");
  }
  ~MklMatrix() { mkl_.destroy(matrix_); }
  MklMatrix(const MklMatrix&) = delete;
  MklMatrix& operator=(const MklMatrix&) = delete;

  void optimize() {
    mkl_.set_threads(threads_);
    check(mkl_.set_hint(matrix_, operation_none, description_, many_calls),
          "mkl_sparse_set_sv_hint");
    check(mkl_.optimize(matrix_), "mkl_sparse_optimize");
  }
  double solve(const T* b, T* x) {
    mkl_.set_threads(threads_);
    int status = 0;
    const double seconds =
        time_of([&] { status = solve_(operation_none, T(1), matrix_, description_, b, x); });
    check(status, "mkl_sparse_trsv");
    return seconds;
  }

 private:
  Mkl& mkl_;
  Index threads_;
  MatrixDescription description_;
  Matrix matrix_ = nullptr;
  Solve<T> solve_ = nullptr;
};

}  // namespace

std::string why_no_mkl(const Settings& s) { return loaded(s).error; }

template <Scalar T>
Entrant<T> make_mkl(const Task<T>& task, Index threads, const Settings& s) {
  Mkl& mkl = loaded(s);
  if (!mkl.error.empty()) throw Error(ErrorCode::backend_missing, "mkl: " + mkl.error);
  if (task.start.empty())
    throw Error(ErrorCode::backend_failed, "mkl: 32-bit row starts do not reach so many entries");
  Facts facts{"mkl", "mkl_sparse_trsv"};
  const auto matrix = std::make_shared<MklMatrix<T>>(mkl, task, threads);
  facts.analyze_s = time_of([&] { matrix->optimize(); });
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
