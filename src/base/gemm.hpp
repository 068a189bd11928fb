// base/gemm.hpp -- C += alpha A B for dense matrices by columns, on one thread.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why not BLAS: the packaged OpenBLAS does not know every processor and then falls back to
// kernels of twenty years ago, a tenth of the speed; it may start threads of its own; and an entry
// of its C may depend on how many rows and columns are asked for.  Ours does not: it is added up in
// the same order for every way a product is cut into rows and columns.
#pragma once

#include "echelon/buffer.hpp"
#include "echelon/types.hpp"

namespace echelon {

// Room for the packed pieces, one per thread, and the unit that computes.
template <class R>
struct GemmSpace {
  VectorUnit unit = VectorUnit::automatic;
  Buffer<R> a, b;
  Buffer<R> plane[6];  // real and imaginary parts of a piece of A, B and C
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

// A complex one is four real ones.
template <Scalar T>
void gemm(const Gemm<T>& g, GemmSpace<Real<T>>& space);

}  // namespace echelon
