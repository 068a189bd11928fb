// base/vector_unit.hpp -- the widest vector instructions this machine has.
// SPDX-License-Identifier: BSD-3-Clause
//
// Hot loops are compiled once for each unit and chosen at run time, so that a program built on
// one machine is as fast on the next.
#pragma once

namespace echelon {

enum class VectorUnit { plain, avx2, avx512 };
const char* name(VectorUnit unit) noexcept;

VectorUnit find_vector_unit() noexcept;

}  // namespace echelon
