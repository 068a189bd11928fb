// exec/cpu/panel_kernels.cpp -- which build of the panel kernels this machine can run.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels.hpp"

namespace echelon {

#define ECHELON_DECLARE_KERNELS(unit)                      \
  extern const PanelKernels<double, double> unit##_double; \
  extern const PanelKernels<float, float> unit##_float;    \
  extern const PanelKernels<float, double> unit##_mixed;
ECHELON_DECLARE_KERNELS(plain)
#ifdef __x86_64__
ECHELON_DECLARE_KERNELS(avx2)
ECHELON_DECLARE_KERNELS(avx512)
#endif
#undef ECHELON_DECLARE_KERNELS

#ifdef __x86_64__
#define ECHELON_PICK(kind)   \
  switch (unit) {            \
    case VectorUnit::avx512: \
      return avx512_##kind;  \
    case VectorUnit::avx2:   \
      return avx2_##kind;    \
    case VectorUnit::plain:  \
      break;                 \
  }                          \
  return plain_##kind;
#else
#define ECHELON_PICK(kind) \
  (void)unit;              \
  return plain_##kind;
#endif

template <>
const PanelKernels<double, double>& panel_kernels(VectorUnit unit) noexcept {
  ECHELON_PICK(double)
}
template <>
const PanelKernels<float, float>& panel_kernels(VectorUnit unit) noexcept {
  ECHELON_PICK(float)
}
template <>
const PanelKernels<float, double>& panel_kernels(VectorUnit unit) noexcept {
  ECHELON_PICK(mixed)
}
#undef ECHELON_PICK

}  // namespace echelon
