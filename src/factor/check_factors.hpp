// factor/check_factors.hpp -- checks a factorization by one solve with one step of refinement.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/factor.hpp"

namespace echelon {

// Backward errors max |b - A x| / (|A| |x| + |b|), with the norms of the largest row sum and the
// largest entry, for b = A z with a random z.
struct FactorCheck {
  double first = 0;    // of the solve; infinity or NaN if x is not finite
  double refined = 0;  // after one step of refinement

  // Whether the refined error is that of rounding, and a plain solve is not far from it.
  template <Scalar T>
  bool good() const;
  // Whether the error is that of rounding without refinement, too.
  template <Scalar T>
  bool needs_no_refinement() const;
};

// O(entries of A, L and U), one thread.
template <Scalar T>
FactorCheck check_factors(const MatrixView<T>& a, const Factors<T>& f);

}  // namespace echelon
