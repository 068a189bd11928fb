// exec/cpu/panel_kernels_avx512.cpp -- the panel kernels compiled for the vector unit 'avx512'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const PanelKernels<double, double> avx512_double = kernels<double, double>;
extern const PanelKernels<float, float> avx512_float = kernels<float, float>;
extern const PanelKernels<float, double> avx512_mixed = kernels<float, double>;

}  // namespace echelon
