// exec/cuda/panels/cublas.hpp -- the cuBLAS routines we call, loaded at run time on first use: a
// program starts without cuBLAS.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cublas_v2.h>

#include "base/blas.hpp"
#include "exec/cuda/runtime/device_array.cuh"

namespace echelon {

// Throws backend_missing if cuBLAS cannot be loaded.
void load_cublas();

// A cuBLAS handle with its own workspace.  It runs on one stream at a time; two objects can run
// concurrently, and calls allocate nothing.  Arguments are as in base/blas.hpp.
class Cublas {
 public:
  Cublas();
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // Sets the stream of the calls that follow.
  void use(cudaStream_t stream) const;

  template <Scalar T>
  void solve_lower(bool transposed, Index n, Index k, const T* l, Index ldl, T* b, Index ldb) const;
  template <Scalar T>
  void multiply(const BlasProduct<T>& p) const;

 private:
  Index device_;  // the device of all calls
  DeviceArray<char> workspace_;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace echelon
