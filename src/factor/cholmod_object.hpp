// factor/cholmod_object.hpp -- presents a cholmod_factor as Factors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cholmod.h>

#include "echelon/factor.hpp"

namespace echelon {

// Panels of a double factor point into l, which must outlive them; everything else is copied.
// Finds the exact supernodes on `threads` threads.  Throws bad_argument for an unsupported form.
template <Scalar T>
Factors<T> see_cholmod(const cholmod_factor& l, Index threads);

}  // namespace echelon
