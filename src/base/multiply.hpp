// base/multiply.hpp -- products without the NaN handling of std::complex.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// Equal to a * b for finite numbers.  The matrix values have been checked to be finite; an overflow
// shows in the solution.
template <class T>
inline T multiply(T a, T b) {
  if constexpr (is_complex<T>)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

}  // namespace echelon
