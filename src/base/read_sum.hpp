// base/read_sum.hpp -- the sum of an array at full memory speed, used to measure bandwidth.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "echelon/types.hpp"

namespace echelon {

// Sums `count` values; count is a multiple of 64, and the array is aligned to 64 bytes.
using ReadSum = double (*)(const double* values, std::size_t count);

// The kernel of a vector unit, selected and refused as in find_vector_unit.
ReadSum read_sum(VectorUnit unit = VectorUnit::automatic);

}  // namespace echelon
