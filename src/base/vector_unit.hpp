// base/vector_unit.hpp -- the widest vector instructions this machine has, and how it likes to
// read.
// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops are compiled once for each unit and chosen at run time, so that a program built on
// one machine is as fast on the next.
#pragma once

namespace echelon {

enum class VectorUnit { plain, avx2, avx512 };
const char* name(VectorUnit unit) noexcept;

VectorUnit find_vector_unit() noexcept;

// Whether a long panel is read as four streams side by side: memory then gives a tenth more on
// Intel's processors, but a quarter to a third less on AMD's (Zen 4).  Sums are the same either
// way.
extern const bool four_streams;

}  // namespace echelon
