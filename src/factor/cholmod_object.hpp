// factor/cholmod_object.hpp -- a cholmod_factor seen as our Factors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cholmod.h>

#include "echelon/factor.hpp"

namespace echelon {

// Panels of a double factor look into l, which must outlive them; all else is copied.  `threads`
// look for the exact supernodes.  Throws bad_argument for a form not known.
template <Scalar T>
Factors<T> see_cholmod(const cholmod_factor& l, Index threads);

}  // namespace echelon
