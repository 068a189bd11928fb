// factor/superlu_object.hpp -- presents SuperLU's L and U as Factors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/factor.hpp"
#include "factor/superlu_calls.hpp"

namespace echelon {

// The result of a factorization.
struct SuperluObject {
  const SuperMatrix& l;
  const SuperMatrix& u;
  std::span<const int> perm_r;  // row i of A is row perm_r[i] of L
  std::span<const int> perm_c;  // column j of A is column perm_c[j] of U
};

// The panels point into l, which must outlive them; everything else is copied, u too.  Throws
// bad_argument for an unsupported form.
template <Scalar T>
Factors<T> see_superlu(const SuperluObject& o, Index threads);

}  // namespace echelon
