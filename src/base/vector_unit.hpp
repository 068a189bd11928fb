// base/vector_unit.hpp -- the vector units of this processor, and how it reads memory fastest.
// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops are compiled once per unit and chosen at run time, so that a program built on one
// machine is as fast on the next.
#pragma once

#include <array>
#include <span>

#include "echelon/types.hpp"

// Units that loops are compiled for, the narrowest first; echelon_vector_units in
// cmake/EchelonTarget.cmake has the same list.
#if defined(__x86_64__)
#define ECHELON_FOR_EACH_UNIT(X) X(plain) X(avx2) X(avx512)
#elif defined(__aarch64__)
#define ECHELON_FOR_EACH_UNIT(X) X(neon)
#else
#define ECHELON_FOR_EACH_UNIT(X) X(plain)
#endif

namespace echelon {

constexpr std::array<const char*, 5> vector_unit_names{"automatic", "plain", "avx2", "avx512",
                                                       "neon"};
const char* name(VectorUnit unit) noexcept;

// The units this processor has of those compiled for, the narrowest first; never empty.
std::span<const VectorUnit> vector_units() noexcept;

// The unit asked for, or the widest for `automatic`.  Throws bad_argument for a unit that is not
// there, with the list of those that are.
VectorUnit find_vector_unit(VectorUnit asked = VectorUnit::automatic);

// Whether a long panel is read as four streams side by side: this gains a tenth of the bandwidth
// on Intel's processors, and loses a quarter to a third on AMD's (Zen 4).  Sums are the same
// either way.
extern const bool four_streams;

}  // namespace echelon
