// exec/cpu/panel_kernels_plain.cpp -- the panel kernels compiled for the vector unit 'plain'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const PanelKernels<double, double> plain_double = kernels<double, double>;
extern const PanelKernels<float, float> plain_float = kernels<float, float>;
extern const PanelKernels<float, double> plain_mixed = kernels<float, double>;

}  // namespace echelon
