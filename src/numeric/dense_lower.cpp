// numeric/dense_lower.cpp -- products with dense lower triangles and their inverses, by blocks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1, C^-1], by halves; small triangles column by
// column.  A product with a triangle proceeds by block columns (or block rows): each is a product
// with the square on the diagonal, zeros above included, and one with the rectangle below.
#include "numeric/dense_lower.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Index block = 64;
constexpr Index small = 24;
constexpr Offset grain = 64;  // rows or columns below which a second thread does not pay

// Copies the lower triangle of a square, with zeros above.
template <class T>
const T* square_of(Index n, const T* l, Offset ldl, Buffer<T>& square) {
  square.resize(static_cast<std::size_t>(n) * n);
  for (Index j = 0; j < n; ++j) {
    std::fill_n(square.data() + Offset{j} * n, j, T(0));
    std::copy_n(l + j * ldl + j, n - j, square.data() + Offset{j} * n + j);
  }
  return square.data();
}

// Copies a block of B and sets it to zero.
template <class T>
const T* take_aside(Index m, Index n, T* b, Offset ldb, Buffer<T>& copy) {
  copy.resize(static_cast<std::size_t>(m) * n);
  for (Index j = 0; j < n; ++j) {
    std::copy_n(b + j * ldb, m, copy.data() + Offset{j} * m);
    std::fill_n(b + j * ldb, m, T(0));
  }
  return copy.data();
}

template <class T>
void multiply_rows(Index m, Index n, const T* l, Offset ldl, T* b, Offset ldb,
                   typename DenseSpace<T>::Piece& mine) {
  for (Index j = 0; j < n; j += block) {
    const Index w = std::min(block, n - j), rest = n - j - w;
    const T* const square = square_of(w, l + j * ldl + j, ldl, mine.square);
    const T* const old = take_aside(m, w, b + j * ldb, ldb, mine.copy);
    gemm<T>({m, w, w, 1, old, m, square, w, b + j * ldb, ldb}, mine.gemm);
    gemm<T>({m, w, rest, 1, b + (j + w) * ldb, ldb, l + j * ldl + j + w, ldl, b + j * ldb, ldb},
            mine.gemm);
  }
}

template <class T>
void multiply_columns_minus(Index n, Index m, const T* l, Offset ldl, T* b, Offset ldb,
                            typename DenseSpace<T>::Piece& mine) {
  for (Index i = (n - 1) / block * block; i >= 0; i -= block) {
    const Index h = std::min(block, n - i);
    const T* const square = square_of(h, l + i * ldl + i, ldl, mine.square);
    const T* const old = take_aside(h, m, b + i, ldb, mine.copy);
    gemm<T>({h, m, h, -1, square, h, old, h, b + i, ldb}, mine.gemm);
    gemm<T>({h, m, i, -1, l + i, ldl, b, ldb, b + i, ldb}, mine.gemm);
  }
}

template <class T>
void invert_small_lower(Index n, T* l, Offset ld) {
  for (Index j = 0; j < n; ++j) {
    // Column j of the inverse: solve L y = e(j).  Columns after j still hold L.
    T* const y = l + j * ld;
    y[j] = T(1) / y[j];
    for (Index i = j + 1; i < n; ++i) y[i] *= -y[j];
    for (Index k = j + 1; k < n; ++k) {
      const T* const column = l + k * ld;
      y[k] /= column[k];
      for (Index i = k + 1; i < n; ++i) y[i] -= column[i] * y[k];
    }
  }
}

}  // namespace

template <Scalar T>
void multiply_right_lower(Index m, Index n, const T* l, Offset ldl, T* b, Offset ldb,
                          DenseSpace<T>& space) {
  parallel_pieces(m, grain, space.threads(), [&](Offset begin, Offset end, Index part) {
    multiply_rows(static_cast<Index>(end - begin), n, l, ldl, b + begin, ldb, space.pieces[part]);
  });
}

template <Scalar T>
void multiply_left_lower_minus(Index n, Index m, const T* l, Offset ldl, T* b, Offset ldb,
                               DenseSpace<T>& space) {
  parallel_pieces(m, grain, space.threads(), [&](Offset begin, Offset end, Index part) {
    multiply_columns_minus(n, static_cast<Index>(end - begin), l, ldl, b + begin * ldb, ldb,
                           space.pieces[part]);
  });
}

template <Scalar T>
void invert_lower(Index n, T* l, Offset ld, DenseSpace<T>& space) {
  if (n <= small) return invert_small_lower(n, l, ld);
  const Index half = n / 2;
  T* const b = l + half;
  T* const c = l + half * ld + half;
  invert_lower(half, l, ld, space);
  invert_lower(n - half, c, ld, space);
  multiply_right_lower(n - half, half, l, ld, b, ld, space);
  multiply_left_lower_minus(n - half, half, c, ld, b, ld, space);
}

#define ECHELON_INSTANTIATE(T)                                                                    \
  template void multiply_right_lower(Index, Index, const T*, Offset, T*, Offset, DenseSpace<T>&); \
  template void multiply_left_lower_minus(Index, Index, const T*, Offset, T*, Offset,             \
                                          DenseSpace<T>&);                                        \
  template void invert_lower(Index, T*, Offset, DenseSpace<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
