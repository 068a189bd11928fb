// base/number.hpp -- arithmetic on one number of any of the four scalars.
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

// Equal to a * b for finite numbers.  The matrix values have been checked to be finite; an overflow
// shows in the solution.
template <class T>
inline T multiply(T a, T b) {
  if constexpr (is_complex<T>)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

template <Scalar T>
T conjugate_if(bool yes, T a) {
  if constexpr (is_complex<T>)
    return yes ? std::conj(a) : a;
  else
    return a;
}

}  // namespace echelon
