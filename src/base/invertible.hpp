// base/invertible.hpp -- whether a diagonal entry may be stored as its reciprocal.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "echelon/types.hpp"

namespace echelon {

// True if d and 1/d are normal: multiplying by 1/d then loses nothing.
template <Scalar T>
bool invertible(T d) {
  using R = Real<T>;
  constexpr R low = 4 * std::numeric_limits<R>::min();
  R size;  // the larger part: cheaper than the modulus, and does not overflow
  if constexpr (is_complex<T>)
    size = std::max(std::abs(d.real()), std::abs(d.imag()));
  else
    size = std::abs(d);
  return size > low && size < 1 / low;
}

}  // namespace echelon
