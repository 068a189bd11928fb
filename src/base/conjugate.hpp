// base/conjugate.hpp -- conjugates a complex number on request; a real number stays unchanged.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon {

template <Scalar T>
T conjugate_if(bool yes, T a) {
  if constexpr (is_complex<T>)
    return yes ? std::conj(a) : a;
  else
    return a;
}

}  // namespace echelon
