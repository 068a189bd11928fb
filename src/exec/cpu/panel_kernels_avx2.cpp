// exec/cpu/panel_kernels_avx2.cpp -- the panel kernels compiled for the vector unit 'avx2'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const PanelKernels<double, double> avx2_double = kernels<double, double>;
extern const PanelKernels<float, float> avx2_float = kernels<float, float>;
extern const PanelKernels<float, double> avx2_mixed = kernels<float, double>;

}  // namespace echelon
