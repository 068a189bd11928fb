// bench/factor_solve/frame.hpp -- converts vectors between the order of a matrix and of its
// factors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/factor.hpp"

namespace echelon::bench {

// (R A C)(row_order[i], col_order[j]) = (L D U)(i, j); an empty member is the identity.
template <Scalar T>
struct Frame {
  std::vector<Index> row_order, col_order;
  std::vector<Real<T>> row_scale, col_scale;
  std::vector<T> diagonal;
};

template <Scalar T>
Frame<T> frame_of(const Factors<T>& f) {
  return {f.row_order, f.col_order, f.row_scale, f.col_scale, f.diagonal};
}

// z(i) = (R b)(row_order[i]); then, between the two solves, z = D \ z; then
// x(col_order[j]) = (C z)(j).  By columns.
template <Scalar T>
void enter(const Frame<T>& f, const Vectors<const T>& b, const Vectors<T>& z);
template <Scalar T>
void divide(const Frame<T>& f, const Vectors<T>& z);
template <Scalar T>
void leave(const Frame<T>& f, const Vectors<const T>& z, const Vectors<T>& x);

}  // namespace echelon::bench
