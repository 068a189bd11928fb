// base/read_sum.cpp -- selects the array-sum kernel of a vector unit.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/read_sum.hpp"

#include "base/vector_unit.hpp"

namespace echelon {

#define ECHELON_DECLARE(unit) double read_sum_##unit(const double* values, std::size_t count);
ECHELON_FOR_EACH_UNIT(ECHELON_DECLARE)
#undef ECHELON_DECLARE

ReadSum read_sum(VectorUnit unit) {
  switch (find_vector_unit(unit)) {
#define ECHELON_CASE(unit) \
  case VectorUnit::unit:   \
    return read_sum_##unit;
    ECHELON_FOR_EACH_UNIT(ECHELON_CASE)
#undef ECHELON_CASE
    default:
      __builtin_unreachable();
  }
}

}  // namespace echelon
