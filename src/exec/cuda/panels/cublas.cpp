// exec/cuda/panels/cublas.cpp -- loads the cuBLAS routines by name at run time.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cuda/panels/cublas.hpp"

#include <string>

#include "base/instantiate.hpp"
#include "echelon/device.hpp"
#include "echelon/tools/shared_library.hpp"

namespace echelon {
namespace {

constexpr std::size_t workspace_bytes = std::size_t{4} << 20;  // cuBLAS's default before Hopper

template <class Function>
Function* find(const std::string& name) {
  static const SharedLibrary library("methods default and stream need cuBLAS on CUDA",
                                     {"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
  return library.find<Function>(name);
}

void check_cublas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(ErrorCode::backend_failed,
              std::string(what) + ": cuBLAS status " + std::to_string(status));
}

struct Calls {
  decltype(&cublasCreate_v2) create = find<decltype(cublasCreate_v2)>("cublasCreate_v2");
  decltype(&cublasDestroy_v2) destroy = find<decltype(cublasDestroy_v2)>("cublasDestroy_v2");
  decltype(&cublasSetStream_v2) set_stream =
      find<decltype(cublasSetStream_v2)>("cublasSetStream_v2");
  decltype(&cublasSetWorkspace_v2) set_workspace =
      find<decltype(cublasSetWorkspace_v2)>("cublasSetWorkspace_v2");
};
const Calls& calls() {
  static const Calls found;
  return found;
}

// The routines for one scalar type.  Complex routines have the same argument list, and cuBLAS
// complex numbers have the memory layout of std::complex.
template <Scalar T>
struct Routines {
  using Trsv = cublasStatus_t(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                              int, const T*, int, T*, int);
  using Trsm = cublasStatus_t(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int, int, const T*, const T*, int, T*, int);
  using Gemv = cublasStatus_t(cublasHandle_t, cublasOperation_t, int, int, const T*, const T*, int,
                              const T*, int, const T*, T*, int);
  using Gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                              const T*, const T*, int, const T*, int, const T*, T*, int);
  static std::string name(const char* routine) {
    const char letter = is_complex<T> ? (std::same_as<Real<T>, float> ? 'C' : 'Z')
                                      : (std::same_as<T, float> ? 'S' : 'D');
    return std::string("cublas") + letter + routine + "_v2";
  }
  Trsv* trsv = find<Trsv>(name("trsv"));
  Trsm* trsm = find<Trsm>(name("trsm"));
  Gemv* gemv = find<Gemv>(name("gemv"));
  Gemm* gemm = find<Gemm>(name("gemm"));
};
static_assert(std::same_as<Routines<double>::Trsv, decltype(cublasDtrsv_v2)>);
static_assert(std::same_as<Routines<double>::Trsm, decltype(cublasDtrsm_v2)>);
static_assert(std::same_as<Routines<double>::Gemv, decltype(cublasDgemv_v2)>);
static_assert(std::same_as<Routines<double>::Gemm, decltype(cublasDgemm_v2)>);

template <Scalar T>
const Routines<T>& routines() {
  static const Routines<T> found;
  return found;
}

cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

}  // namespace

void load_cublas() { calls(); }

Cublas::Cublas() : device_(choose_device()), workspace_(workspace_bytes) {
  check_cublas(calls().create(&handle_), "cublasCreate");
}
Cublas::~Cublas() {  // must not throw, even after CUDA has shut down
  int before = device_;
  cudaGetDevice(&before);
  cudaSetDevice(device_);
  calls().destroy(handle_);
  cudaSetDevice(before);
}

void Cublas::use(cudaStream_t stream) const {
  check_cublas(calls().set_stream(handle_, stream), "cublasSetStream");
  // cublasSetStream resets the workspace to the default.
  check_cublas(calls().set_workspace(handle_, workspace_.data(), workspace_.bytes()),
               "cublasSetWorkspace");
}

template <Scalar T>
// NOLINTNEXTLINE(readability-function-size): the arguments of BLAS's trsm
void Cublas::solve_lower(bool transposed, Index n, Index k, const T* l, Index ldl, T* b,
                         Index ldb) const {
  const Routines<T>& r = routines<T>();
  const T one(1);
  const cublasOperation_t op = operation(transposed);
  check_cublas(
      k == 1 ? r.trsv(handle_, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, n, l, ldl, b, 1)
             : r.trsm(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT,
                      n, k, &one, l, ldl, b, ldb),
      k == 1 ? "cublas trsv" : "cublas trsm");
}

template <Scalar T>
void Cublas::multiply(const BlasProduct<T>& p) const {
  const Routines<T>& r = routines<T>();
  const cublasOperation_t op = operation(p.transposed);
  const Index rows = p.transposed ? p.n : p.m, inner = p.transposed ? p.m : p.n;
  check_cublas(p.k == 1
                   ? r.gemv(handle_, op, p.m, p.n, &p.alpha, p.a, p.lda, p.x, 1, &p.beta, p.y, 1)
                   : r.gemm(handle_, op, CUBLAS_OP_N, rows, p.k, inner, &p.alpha, p.a, p.lda, p.x,
                            p.ldx, &p.beta, p.y, p.ldy),
               p.k == 1 ? "cublas gemv" : "cublas gemm");
}

#define ECHELON_INSTANTIATE(T)                                                             \
  template void Cublas::solve_lower(bool, Index, Index, const T*, Index, T*, Index) const; \
  template void Cublas::multiply(const BlasProduct<T>&) const;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
