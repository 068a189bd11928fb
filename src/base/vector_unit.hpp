// base/vector_unit.hpp -- the vector units of this processor, and its fastest read pattern.
// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops are compiled once per unit and selected at run time, so that a program built on one
// machine is fast on all others.
#pragma once

#include <span>

#include "echelon/types.hpp"

// The units that loops are compiled for, narrowest first; echelon_vector_units in
// cmake/EchelonTarget.cmake has the same list.
#if defined(__x86_64__)
#define ECHELON_FOR_EACH_UNIT(X) X(plain) X(avx2) X(avx512)
#elif defined(__aarch64__)
#define ECHELON_FOR_EACH_UNIT(X) X(neon)
#else
#define ECHELON_FOR_EACH_UNIT(X) X(plain)
#endif

namespace echelon {

// The compiled units that this processor has, narrowest first; never empty.
std::span<const VectorUnit> vector_units() noexcept;

// The unit asked for, or the widest one for `automatic`.  Throws bad_argument, with the list of
// available units, if this processor does not have the unit.
VectorUnit find_vector_unit(VectorUnit asked = VectorUnit::automatic);

// Whether a long panel is read as four concurrent streams: this gains a tenth of the bandwidth on
// Intel processors, and loses a quarter to a third on AMD (Zen 4).  Sums are the same either way.
extern const bool four_streams;

}  // namespace echelon
