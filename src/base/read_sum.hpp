// base/read_sum.hpp -- the sum of an array, as fast as memory gives it: what bandwidth is measured
// with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "echelon/types.hpp"

namespace echelon {

// Of `count` values, a multiple of 64, beginning at a multiple of 64 bytes.
using ReadSum = double (*)(const double* values, std::size_t count);

// In vectors of a unit, as find_vector_unit finds it; throws likewise.
ReadSum read_sum(VectorUnit unit = VectorUnit::automatic);

}  // namespace echelon
