// exec/cuda/runtime/store_answers.cuh -- the DeviceVectors of a job, and the last launch of a
// solve, which copies the answers to the caller's x.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include "exec/cuda/runtime/check.cuh"
#include "exec/cuda/runtime/cuda_solve.hpp"
#include "exec/cuda/runtime/device_vectors.cuh"

namespace echelon {

// The job's vectors from number `column` on.
template <Scalar T>
DeviceVectors<DeviceScalar<T>> vectors_of(const DeviceJob<T>& job, bool reversed, Index column) {
  using D = DeviceScalar<T>;
  return {job.x.n,
          reversed,
          job.op == Op::conjugate,
          std::bit_cast<D>(job.alpha),
          reinterpret_cast<const D*>(job.b.data) + column * job.b.stride(),
          job.b.step(),
          job.b.stride(),
          reinterpret_cast<D*>(job.x.data) + column * job.x.stride(),
          job.x.step(),
          job.x.stride(),
          job.status};
}

inline unsigned blocks_for(Offset items, Index threads) {
  return static_cast<unsigned>((items + threads - 1) / threads);
}

template <class T>
__global__ void store_kernel(DeviceVectors<T> vectors, DeviceAnswers<T> answers) {
  const Index k = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  const Index v = static_cast<Index>(blockIdx.y);
  if (k < vectors.n) vectors.store(k, v, answers.at(k, v));
}

template <class T>
void store_answers(const DeviceVectors<T>& vectors, Index count, const DeviceAnswers<T>& answers,
                   cudaStream_t stream) {
  constexpr Index threads = 256;
  store_kernel<<<dim3(blocks_for(vectors.n, threads), static_cast<unsigned>(count)), threads, 0,
                 stream>>>(vectors, answers);
  check_cuda(cudaGetLastError(), "a launch of a triangular solve");
}

}  // namespace echelon
