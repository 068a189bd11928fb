// exec/cpu/batch/batch_kernels.cpp -- selects the kernels for batches of a vector unit.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/batch/batch_kernels.hpp"

#include "base/vector_unit.hpp"

namespace echelon {

#define ECHELON_DECLARE(unit) extern const AllBatchKernels batch_kernels_##unit;
ECHELON_FOR_EACH_UNIT(ECHELON_DECLARE)
#undef ECHELON_DECLARE

namespace {

const AllBatchKernels& batch_kernels_of(VectorUnit unit) {
  switch (find_vector_unit(unit)) {
#define ECHELON_CASE(unit) \
  case VectorUnit::unit:   \
    return batch_kernels_##unit;
    ECHELON_FOR_EACH_UNIT(ECHELON_CASE)
#undef ECHELON_CASE
    default:
      __builtin_unreachable();
  }
}

}  // namespace

template <>
const BatchKernels<double>& batch_kernels(VectorUnit unit) {
  return batch_kernels_of(unit).in_double;
}
template <>
const BatchKernels<float>& batch_kernels(VectorUnit unit) {
  return batch_kernels_of(unit).in_float;
}

}  // namespace echelon
