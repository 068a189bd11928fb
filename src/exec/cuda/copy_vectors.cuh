// exec/cuda/copy_vectors.cuh -- vectors from the host to the device, back, or inside it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"
#include "exec/cuda/check.cuh"

namespace echelon {

// As many vectors in the layout of v, close together at `data`.
template <Scalar T>
Vectors<T> vectors_like(const Vectors<const T>& v, T* data) {
  return {data, v.n, v.count, 0, v.layout};
}

// Between vectors of one layout and count, line by line; what lies between lines is left alone.
template <Scalar T>
void copy_vectors(const Vectors<const T>& from, const Vectors<T>& to, cudaMemcpyKind kind,
                  cudaStream_t stream) {
  const bool by_columns = from.layout == Layout::column_major;
  const auto line = static_cast<std::size_t>(by_columns ? from.n : from.count);
  const auto lines = static_cast<std::size_t>(by_columns ? from.count : from.n);
  const auto pitch = [](const auto& v) { return static_cast<std::size_t>(v.leading) * sizeof(T); };
  check_cuda(cudaMemcpy2DAsync(to.data, pitch(to), from.data, pitch(from), line * sizeof(T), lines,
                               kind, stream),
             "cudaMemcpy2DAsync");
}

}  // namespace echelon
