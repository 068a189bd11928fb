// cli/backward_error.hpp -- backward errors of a solution, from the matrix as it was read.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon::cli {

// `componentwise`: the largest |alpha b - M x|(i) / (|M||x| + |alpha b|)(i) over all i and all
// vectors, where M = op(triangle of a): the smallest relative change of the entries of M and b for
// which x is exact.  NaN if x has a NaN; infinity if no such change exists.  `normwise`: the
// largest |alpha b - M x| / (eps (|alpha b| + |M||x|)) in 2-norms, Frobenius norm for M.  Computed
// in long double, with one pass over the stored entries per vector.
//
// Independent of the library's plans: reads the stored matrix only.
struct BackwardErrors {
  double componentwise = 0;
  double normwise = 0;
};
template <Scalar T>
BackwardErrors find_backward_errors(const Triangle<T>& m, T alpha, const Vectors<const T>& b,
                                    const Vectors<const T>& x);

// An upper bound of rounding errors for a triangle whose longest row has this many entries, for any
// order of the sums and any way to divide.
template <Scalar T>
double tolerable_error(Index longest_row);

}  // namespace echelon::cli
