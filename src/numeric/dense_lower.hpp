// numeric/dense_lower.hpp -- products with dense lower triangles and their inverses, in place.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "base/gemm.hpp"

namespace echelon {

// Scratch memory for the threads that work on one matrix.
template <Scalar T>
struct DenseSpace {
  struct Piece {
    GemmSpace<Real<T>> gemm;
    Buffer<T> square, copy;
  };
  DenseSpace(Index threads, VectorUnit unit) : pieces(static_cast<std::size_t>(threads)) {
    for (Piece& piece : pieces) piece.gemm.unit = unit;
  }
  Index threads() const { return static_cast<Index>(pieces.size()); }

  std::vector<Piece> pieces;
};

// B = B L, with B m by n and L the lower triangle of an n by n matrix; entries above its diagonal
// are not read.
template <Scalar T>
void multiply_right_lower(Index m, Index n, const T* l, Offset ldl, T* b, Offset ldb,
                          DenseSpace<T>& space);

// B = -L B, with B n by m.
template <Scalar T>
void multiply_left_lower_minus(Index n, Index m, const T* l, Offset ldl, T* b, Offset ldb,
                               DenseSpace<T>& space);

// L = L^-1.  Diagonal entries must not be zero.
template <Scalar T>
void invert_lower(Index n, T* l, Offset ld, DenseSpace<T>& space);

}  // namespace echelon
