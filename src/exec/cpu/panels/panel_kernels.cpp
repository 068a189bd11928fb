// exec/cpu/panels/panel_kernels.cpp -- selects the panel kernels of a vector unit.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panels/panel_kernels.hpp"

#include <type_traits>

#include "base/vector_unit.hpp"

namespace echelon {

#define ECHELON_DECLARE(unit) extern const AllPanelKernels panel_kernels_##unit;
ECHELON_FOR_EACH_UNIT(ECHELON_DECLARE)
#undef ECHELON_DECLARE

namespace {

const AllPanelKernels& kernels_of(VectorUnit unit) {
  switch (find_vector_unit(unit)) {
#define ECHELON_CASE(unit) \
  case VectorUnit::unit:   \
    return panel_kernels_##unit;
    ECHELON_FOR_EACH_UNIT(ECHELON_CASE)
#undef ECHELON_CASE
    default:
      __builtin_unreachable();
  }
}

}  // namespace

template <class S, class R>
const PanelKernels<S, R>& panel_kernels(VectorUnit unit) {
  if constexpr (std::is_same_v<S, double>)
    return kernels_of(unit).in_double;
  else if constexpr (std::is_same_v<R, float>)
    return kernels_of(unit).in_float;
  else
    return kernels_of(unit).mixed;
}
template const PanelKernels<double, double>& panel_kernels(VectorUnit);
template const PanelKernels<float, float>& panel_kernels(VectorUnit);
template const PanelKernels<float, double>& panel_kernels(VectorUnit);

}  // namespace echelon
