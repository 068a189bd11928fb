// base/blas.hpp -- the BLAS routines that Echelon calls, under one name for the four scalars.
// SPDX-License-Identifier: BSD-3-Clause
//
// All matrices are column-major.  Lower triangles only.
#pragma once

#include <cblas.h>

#include "echelon/types.hpp"

namespace echelon {

// B = op(L)^-1 B for k columns of B; calls trsv if k is 1, else trsm.
template <Scalar T>
// NOLINTNEXTLINE(readability-function-size): the arguments of BLAS's trsm
inline void blas_solve_lower(bool transposed, Index n, Index k, const T* l, Index ldl, T* b,
                             Index ldb) {
  const CBLAS_TRANSPOSE op = transposed ? CblasTrans : CblasNoTrans;
  const auto one_column = [&](auto f) {
    f(CblasColMajor, CblasLower, op, CblasNonUnit, n, l, ldl, b, 1);
  };
  const auto columns = [&](auto f, auto one) {
    f(CblasColMajor, CblasLeft, CblasLower, op, CblasNonUnit, n, k, one, l, ldl, b, ldb);
  };
  const T one(1);
  if constexpr (std::same_as<T, float>)
    k == 1 ? one_column(cblas_strsv) : columns(cblas_strsm, one);
  if constexpr (std::same_as<T, double>)
    k == 1 ? one_column(cblas_dtrsv) : columns(cblas_dtrsm, one);
  if constexpr (std::same_as<T, std::complex<float>>)
    k == 1 ? one_column(cblas_ctrsv) : columns(cblas_ctrsm, &one);
  if constexpr (std::same_as<T, std::complex<double>>)
    k == 1 ? one_column(cblas_ztrsv) : columns(cblas_ztrsm, &one);
}

// Y = alpha op(A) X + beta Y for k columns of X and Y; A is m by n.  Calls gemv if k is 1, else
// gemm.
template <Scalar T>
struct BlasProduct {
  bool transposed;
  Index m, n, k;
  T alpha;
  const T* a;
  Index lda;
  const T* x;
  Index ldx;
  T beta;
  T* y;
  Index ldy;
};
template <Scalar T>
inline void blas_multiply(const BlasProduct<T>& p) {
  const CBLAS_TRANSPOSE op = p.transposed ? CblasTrans : CblasNoTrans;
  const Index rows = p.transposed ? p.n : p.m, inner = p.transposed ? p.m : p.n;
  const auto one_column = [&](auto f, auto alpha, auto beta) {
    f(CblasColMajor, op, p.m, p.n, alpha, p.a, p.lda, p.x, 1, beta, p.y, 1);
  };
  const auto columns = [&](auto f, auto alpha, auto beta) {
    f(CblasColMajor, op, CblasNoTrans, rows, p.k, inner, alpha, p.a, p.lda, p.x, p.ldx, beta, p.y,
      p.ldy);
  };
  if constexpr (std::same_as<T, float>)
    p.k == 1 ? one_column(cblas_sgemv, p.alpha, p.beta) : columns(cblas_sgemm, p.alpha, p.beta);
  if constexpr (std::same_as<T, double>)
    p.k == 1 ? one_column(cblas_dgemv, p.alpha, p.beta) : columns(cblas_dgemm, p.alpha, p.beta);
  if constexpr (std::same_as<T, std::complex<float>>)
    p.k == 1 ? one_column(cblas_cgemv, &p.alpha, &p.beta) : columns(cblas_cgemm, &p.alpha, &p.beta);
  if constexpr (std::same_as<T, std::complex<double>>)
    p.k == 1 ? one_column(cblas_zgemv, &p.alpha, &p.beta) : columns(cblas_zgemm, &p.alpha, &p.beta);
}

}  // namespace echelon
