// adapters/cusparse/front.cpp -- the exported functions: each hands its call to the engine, or to
// the vendor's library if there is no engine.
// SPDX-License-Identifier: BSD-3-Clause
//
// This library is small and needs libc only, because LD_PRELOAD loads it into every child process
// too.  The engine, with CUDA's runtime and BLAS, is loaded by the first cusparseSp*_createDescr,
// with RTLD_LOCAL: none of its symbols can stand in for symbols of the program.
#include "front.hpp"

#include <utility>

namespace {

using echelon::dropin::operations;
using echelon::dropin::Operations;

// Calls a member of the table; a function that is in neither library is not supported.
template <class... Parameters, class... Arguments>
cusparseStatus_t call(cusparseStatus_t (*Operations::*function)(Parameters...),
                      Arguments... arguments) {
  const auto found = operations().*function;
  return found == nullptr ? CUSPARSE_STATUS_NOT_SUPPORTED : found(arguments...);
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr) {
  return call(&Operations::cusparseSpSV_createDescr, descr);
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  return call(&Operations::cusparseSpSV_destroyDescr, descr);
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType type, cusparseSpSVAlg_t algorithm,
                                         cusparseSpSVDescr_t descr, size_t* bytes) {
  return call(&Operations::cusparseSpSV_bufferSize, handle, op, alpha, a, x, y, type, algorithm,
              descr, bytes);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       const void* alpha, cusparseConstSpMatDescr_t a,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType type, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t descr, void* buffer) {
  return call(&Operations::cusparseSpSV_analysis, handle, op, alpha, a, x, y, type, algorithm,
              descr, buffer);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType type, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t descr) {
  return call(&Operations::cusparseSpSV_solve, handle, op, alpha, a, x, y, type, algorithm, descr);
}

cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t descr,
                                           void* values, cusparseSpSVUpdate_t part) {
  return call(&Operations::cusparseSpSV_updateMatrix, handle, descr, values, part);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr) {
  return call(&Operations::cusparseSpSM_createDescr, descr);
}

cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  return call(&Operations::cusparseSpSM_destroyDescr, descr);
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descr,
                                         size_t* bytes) {
  return call(&Operations::cusparseSpSM_bufferSize, handle, op, op_b, alpha, a, b, c, type,
              algorithm, descr, bytes);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                       cusparseOperation_t op_b, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type,
                                       cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descr,
                                       void* buffer) {
  return call(&Operations::cusparseSpSM_analysis, handle, op, op_b, alpha, a, b, c, type, algorithm,
              descr, buffer);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    cusparseOperation_t op_b, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType type,
                                    cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descr) {
  return call(&Operations::cusparseSpSM_solve, handle, op, op_b, alpha, a, b, c, type, algorithm,
              descr);
}

cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t descr,
                                           void* values, cusparseSpSMUpdate_t part) {
  return call(&Operations::cusparseSpSM_updateMatrix, handle, descr, values, part);
}

}  // extern "C"
