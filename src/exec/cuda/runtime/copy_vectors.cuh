// exec/cuda/runtime/copy_vectors.cuh -- copies and clears vectors in host or device memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/runtime/check.cuh"
#include "exec/cuda/runtime/copy_lines.hpp"

namespace echelon {

// Vectors of v's size and layout, stored without gaps at `data`.
template <Scalar T>
Vectors<T> vectors_like(const Vectors<const T>& v, T* data) {
  return {data, v.n, v.count, 0, v.layout};
}

// Copies between vectors of one layout and count; memory between the lines stays unchanged.
template <Scalar T>
void copy_vectors(const Vectors<const T>& from, const Vectors<T>& to, cudaMemcpyKind kind,
                  cudaStream_t stream) {
  const MemoryLines given(from), wanted(to);
  const auto* const source = reinterpret_cast<const char*>(from.data);
  auto* const target = reinterpret_cast<char*>(to.data);
  copy_lines(
      given, wanted,
      [&](std::size_t at, std::size_t into, std::size_t bytes) {
        check_cuda(cudaMemcpyAsync(target + into, source + at, bytes, kind, stream),
                   "cudaMemcpyAsync");
      },
      [&](std::size_t bytes, std::size_t lines) {
        check_cuda(cudaMemcpy2DAsync(target, wanted.apart, source, given.apart, bytes, lines, kind,
                                     stream),
                   "cudaMemcpy2DAsync");
      });
}

// Sets all entries to zero.
template <Scalar T>
void clear_vectors(const Vectors<T>& x, cudaStream_t stream) {
  const MemoryLines lines_of_x(x);
  auto* const target = reinterpret_cast<char*>(x.data);
  copy_lines(
      lines_of_x, lines_of_x,
      [&](std::size_t, std::size_t into, std::size_t bytes) {
        check_cuda(cudaMemsetAsync(target + into, 0, bytes, stream), "cudaMemsetAsync");
      },
      [&](std::size_t bytes, std::size_t lines) {
        check_cuda(cudaMemset2DAsync(target, lines_of_x.apart, 0, bytes, lines, stream),
                   "cudaMemset2DAsync");
      });
}

}  // namespace echelon
