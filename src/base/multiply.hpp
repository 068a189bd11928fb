// base/multiply.hpp -- products without the NaN detours of std::complex.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// For finite numbers the same as a * b.  Values of a matrix are finite, they were checked; what
// overflows is found in the answer.
template <class T>
inline T multiply(T a, T b) {
  if constexpr (is_complex<T>)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

}  // namespace echelon
