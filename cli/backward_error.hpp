// cli/backward_error.hpp -- how well an answer fits its system, from the matrix as it was read.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon::cli {

// The largest |alpha b - M x|(i) / (|M||x| + |alpha b|)(i) over all i and all vectors, where
// M = op(triangle of a): the smallest relative change of the entries of M and b for which x is
// exact.  NaN if an entry of x is, infinity where nothing can explain x.  `normwise`: the largest
// |alpha b - M x| / (eps (|alpha b| + |M||x|)) in 2-norms, of M Frobenius'.  Computed in
// long double, by one pass over the stored entries for each vector.
//
// Knows nothing of the library's plans: it looks at the stored matrix only.
struct BackwardErrors {
  double componentwise = 0;
  double normwise = 0;
};
template <Scalar T>
BackwardErrors find_backward_errors(const Triangle<T>& m, T alpha, const Vectors<const T>& b,
                                    const Vectors<const T>& x);

// What rounding alone can make of that in a triangle whose longest row has so many entries,
// whatever the order of the sums and the way to divide.
template <Scalar T>
double tolerable_error(Index longest_row);

}  // namespace echelon::cli
