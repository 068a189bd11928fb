// tests/support/pictures.hpp -- small matrices drawn as text, so that a test shows its matrix.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "echelon/matrix.hpp"

namespace echelon::test {

// One line per row, entries separated by blanks.  '.': not stored, 'x': 1, else a number.
//   picture("x . .   gives a 3x3 matrix with 5 nonzeros.
//            x x .
//            . x x")
template <Scalar T>
Csr<T> picture(std::string_view text);

// Any scalar from a real number; complex ones get an imaginary part, so that a missing conjugate is
// detected.
template <Scalar T>
T number(double real, double imaginary = 0) {
  if constexpr (is_complex<T>)
    return {static_cast<Real<T>>(real), static_cast<Real<T>>(imaginary)};
  else
    return static_cast<T>(real);
}

}  // namespace echelon::test
