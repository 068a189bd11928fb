// exec/executors.hpp -- the makers of the executors, one a file; make_executor picks.
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

// On the current device.  Throws backend_missing where there is none or it was not built, and
// bad_argument for those that run on the CPU alone: serial.
template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method method);

template <Scalar T>
std::unique_ptr<Frame<T>> make_host_frame(const Factors<T>& factors, Index together);
template <Scalar T>
std::unique_ptr<Frame<T>> make_cuda_frame(const Factors<T>& factors, Index together);

template <Scalar T>
std::unique_ptr<Products<T>> make_cuda_products();

}  // namespace echelon
