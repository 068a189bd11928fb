// exec/make_executor.cpp -- selects the executor for a method and a backend.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "exec/batch_executors.hpp"
#include "exec/executors.hpp"

namespace echelon {

template <Scalar T>
std::unique_ptr<Executor<T>> make_executor(Method method, Backend backend) {
  if (backend == Backend::cuda) return make_cuda_executor<T>(method);
  switch (method) {
    case Method::serial:
      return make_serial_executor<T>();
    case Method::level_row:
      return make_level_row_executor<T>();
    case Method::level_column:
      return make_level_column_executor<T>();
    case Method::element_row:
      return make_element_row_executor<T>();
    case Method::element_column:
      return make_element_column_executor<T>();
    case Method::superstep:
      return make_superstep_executor<T>();
    case Method::plain:
      return make_blas_executor<T>(false);
    case Method::stream:
      return make_blas_executor<T>(true);
    case Method::team:
    case Method::merge:
    case Method::invert_diag:
    case Method::invert_off:
    case Method::tree:
      return make_block_executor<T>(false);
    case Method::dynamic:
      return make_block_executor<T>(true);
    case Method::spmv:
    case Method::invert_full:
      return make_spmv_executor<T>();
    case Method::automatic:
      break;
  }
  throw Error(ErrorCode::bad_argument, "an executor needs a method, not 'automatic'");
}

template <Scalar T>
std::unique_ptr<PermuteScale<T>> make_permute_scale(const Factors<T>& factors, Index rhs_per_pass,
                                                    Backend backend) {
  return backend == Backend::cuda ? make_cuda_permute_scale(factors, rhs_per_pass)
                                  : make_host_permute_scale(factors, rhs_per_pass);
}

template <Scalar T>
std::unique_ptr<DeviceSpmv<T>> make_device_spmv() {
  return make_cuda_device_spmv<T>();
}

template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_batch_executor(std::shared_ptr<const BatchPlan> plan,
                                                      Index count, Index width,
                                                      const Options& options) {
  return options.backend == Backend::cuda
             ? make_cuda_batch<T>(std::move(plan), count, width, options)
             : make_cpu_batch<T>(std::move(plan), count, width, options);
}

#define ECHELON_INSTANTIATE(T)                                                                     \
  template std::unique_ptr<Executor<T>> make_executor(Method, Backend);                            \
  template std::unique_ptr<PermuteScale<T>> make_permute_scale(const Factors<T>&, Index, Backend); \
  template std::unique_ptr<DeviceSpmv<T>> make_device_spmv();                                      \
  template std::unique_ptr<BatchExecutor<T>> make_batch_executor(std::shared_ptr<const BatchPlan>, \
                                                                 Index, Index, const Options&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
