// echelon/residual.hpp -- how well x solves A x = b: the residual and backward errors.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   const echelon::BackwardErrors errors = echelon::find_backward_errors<double>(a, b, x);
//   const double error = echelon::find_residual<double>(a, b, x, r);      // r = b - A x
//
// All functions take any number of vectors in any layout and report the worst one.  They give the
// same bits for any number of threads (0: all).  They throw bad_argument if sizes differ.
#pragma once

#include "echelon/matrix.hpp"
#include "echelon/numeric.hpp"

#pragma GCC visibility push(default)
namespace echelon {

struct BackwardErrors {
  // max over rows of |b-Ax| / (|A||x|+|b|): the smallest relative change of the entries of A and b
  // for which x is exact.  NaN if an entry of x is; infinity if no change suffices.
  double componentwise = 0;
  // |b-Ax| / (eps (|b| + |A| |x|)), 2-norms of vectors, Frobenius norm of A: the error of Figure 10
  // of the ICPP 2020 paper.
  double normwise = 0;
};

// r = b - A x, in the precision of T.  r may be b.  Returns the componentwise error of x.
template <Scalar T>
ECHELON_EXPORT double find_residual(const CsrView<T>& a, const Vectors<const T>& b,
                                    const Vectors<const T>& x, const Vectors<T>& r,
                                    Index threads = 0);
// The same for a matrix in two triangles, without the error: for sweeps.
template <Scalar T>
ECHELON_EXPORT void find_residual(const SplitMatrix<T>& a, const Vectors<const T>& b,
                                  const Vectors<const T>& x, const Vectors<T>& r,
                                  Index threads = 0);

// Of A x = b, in the precision of T.
template <Scalar T>
ECHELON_EXPORT BackwardErrors find_backward_errors(const CsrView<T>& a, const Vectors<const T>& b,
                                                   const Vectors<const T>& x, Index threads = 0);
// Of M x = alpha b with a triangle, from its stored entries.  In long double: in the precision of
// the solve, the residual of a triangular solve often rounds to zero.  A triangle stored by columns
// is copied.
template <Scalar T>
ECHELON_EXPORT BackwardErrors find_backward_errors(const Triangle<T>& m, T alpha,
                                                   const Vectors<const T>& b,
                                                   const Vectors<const T>& x, Index threads = 0);

}  // namespace echelon
#pragma GCC visibility pop
