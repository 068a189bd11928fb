// base/number.hpp -- arithmetic on one number of any of the four scalars.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>

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

// a / b.  For complex numbers several times as fast as the compiler's division, which handles
// infinities and b near the ends of the range; the latter are left to it.  1 / b does not depend on
// a: a processor computes it while a is not known yet.
template <class T>
inline T divide(T a, T b) {
  if constexpr (is_complex<T>) {
    using R = Real<T>;
    constexpr R least = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
    const R square = b.real() * b.real() + b.imag() * b.imag();
    if (square >= least && square <= 1 / least)
      return multiply(a, T(b.real() / square, -b.imag() / square));
  }
  return a / b;
}

template <Scalar T>
T conjugate_if(bool yes, T a) {
  if constexpr (is_complex<T>)
    return yes ? std::conj(a) : a;
  else
    return a;
}

}  // namespace echelon
