// base/finite.hpp -- tests that a number is neither NaN nor infinite, for all four scalars.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "echelon/types.hpp"

namespace echelon {

// Tests the parts separately: the modulus of a finite complex number may overflow.
template <Scalar T>
bool is_finite(T a) {
  if constexpr (is_complex<T>)
    return std::isfinite(a.real()) && std::isfinite(a.imag());
  else
    return std::isfinite(a);
}

}  // namespace echelon
