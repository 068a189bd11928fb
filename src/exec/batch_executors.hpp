// exec/batch_executors.hpp -- declares the factory functions of the executors for batches;
// make_executor selects one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/batch_executor.hpp"

namespace echelon {

template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_cpu_batch(std::shared_ptr<const BatchPlan> plan, Index count,
                                                 Index width, const Options& options);

// On the current CUDA device.  Throws backend_missing.
template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_cuda_batch(std::shared_ptr<const BatchPlan> plan,
                                                  Index count, Index width, const Options& options);

}  // namespace echelon
