// exec/cpu/panel_kernels_avx2.cpp -- the panel kernels compiled for the vector unit 'avx2'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const AllPanelKernels panel_kernels_avx2 = all_kernels;

}  // namespace echelon
