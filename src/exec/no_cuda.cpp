// exec/no_cuda.cpp -- what make_executor finds where the GPU backend was left out.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "exec/executors.hpp"

namespace echelon {

template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method) {
  throw Error(ErrorCode::backend_missing,
              "this library was built without CUDA: configure with -DECHELON_WITH_CUDA=ON");
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_cuda_executor(Method);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
