// exec/cuda/cublas.hpp -- the few routines of cuBLAS we call, found when they are first asked for:
// a program starts without the library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cublas_v2.h>

#include "base/blas.hpp"
#include "exec/cuda/device_array.cuh"

namespace echelon {

// Throws backend_missing if there is no cuBLAS.
void load_cublas();

// Calls for one stream at a time, with memory of their own: those of two objects can run side by
// side, and allocate nothing.  All scalars and arguments are as in base/blas.hpp.
class Cublas {
 public:
  Cublas();
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // For the calls that follow.
  void use(cudaStream_t stream) const;

  template <Scalar T>
  void solve_lower(bool transposed, Index n, Index k, const T* l, Index ldl, T* b, Index ldb) const;
  template <Scalar T>
  void multiply(const BlasProduct<T>& p) const;

 private:
  Index device_;  // that all calls are made on
  DeviceArray<char> workspace_;
  cublasHandle_t handle_ = nullptr;
};

}  // namespace echelon
