// exec/cpu/panel_kernels_neon.cpp -- the panel kernels compiled for the vector unit 'neon'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const AllPanelKernels panel_kernels_neon = all_kernels;

}  // namespace echelon
