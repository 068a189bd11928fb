// base/gemm.hpp -- C += alpha A B for dense matrices by columns, on one thread.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why not BLAS: the packaged OpenBLAS does not know every processor and then falls back to
// kernels of twenty years ago, a tenth of the speed; and it may start threads of its own.  The
// inverses of a setup are most of its time.  Complex matrices do go to BLAS.
#pragma once

#include "echelon/buffer.hpp"
#include "echelon/types.hpp"

namespace echelon {

// Room for the packed pieces; one a thread.
template <class R>
struct GemmSpace {
  Buffer<R> a, b;
};

template <class T>
struct Gemm {
  Index m, n, k;  // A is m by k, B k by n, C m by n
  T alpha;
  const T* a;
  Offset lda;
  const T* b;
  Offset ldb;
  T* c;
  Offset ldc;
};

// For float and double our own; for the others BLAS.
template <Scalar T>
void gemm(const Gemm<T>& g, GemmSpace<Real<T>>& space);

}  // namespace echelon
