// base/gemm.hpp -- C += alpha A B for dense column-major matrices, on one thread.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why not BLAS.  The packaged OpenBLAS does not recognize every processor and then uses
// twenty-year-old kernels at a tenth of the speed.  It may start its own threads.  And an entry of
// its C may depend on the number of rows and columns of the call.  Here each entry is summed in the
// same order for every partition of a product into rows and columns.
#pragma once

#include "echelon/buffer.hpp"
#include "echelon/types.hpp"

namespace echelon {

// Buffers for packed blocks, one per thread, and the vector unit to use.
template <class R>
struct GemmSpace {
  VectorUnit unit = VectorUnit::automatic;
  Buffer<R> a, b;
  Buffer<R> plane[6];  // real and imaginary parts of a block of A, B and C
};

template <class T>
struct Gemm {
  Index m, n, k;  // A is m by k, B k by n, C m by n
  Real<T> alpha;
  const T* a;
  Offset lda;
  const T* b;
  Offset ldb;
  T* c;
  Offset ldc;
};

// A complex product is four real ones.
template <Scalar T>
void gemm(const Gemm<T>& g, GemmSpace<Real<T>>& space);

}  // namespace echelon
