// exec/executors.hpp -- declares the factory function of each executor; make_executor selects one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/executor.hpp"

namespace echelon {

template <Scalar T>
std::unique_ptr<Executor<T>> make_serial_executor();
template <Scalar T>
std::unique_ptr<Executor<T>> make_level_row_executor();
template <Scalar T>
std::unique_ptr<Executor<T>> make_level_column_executor();
template <Scalar T>
std::unique_ptr<Executor<T>> make_element_row_executor();
template <Scalar T>
std::unique_ptr<Executor<T>> make_element_column_executor();
template <Scalar T>
std::unique_ptr<Executor<T>> make_superstep_executor();

template <Scalar T>
std::unique_ptr<Executor<T>> make_block_executor(bool dynamic);
template <Scalar T>
std::unique_ptr<Executor<T>> make_blas_executor(bool side_by_side);
template <Scalar T>
std::unique_ptr<Executor<T>> make_spmv_executor();

// On the current CUDA device.  Throws backend_missing if there is no device or no CUDA in this
// build, and bad_argument for methods that run on the CPU only (serial).
template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method method);

template <Scalar T>
std::unique_ptr<PermuteScale<T>> make_host_permute_scale(const Factors<T>& factors,
                                                         Index rhs_per_pass);
template <Scalar T>
std::unique_ptr<PermuteScale<T>> make_cuda_permute_scale(const Factors<T>& factors,
                                                         Index rhs_per_pass);

template <Scalar T>
std::unique_ptr<DeviceSpmv<T>> make_cuda_device_spmv();

}  // namespace echelon
