// exec/cpu/panel_kernels_avx512.cpp -- the panel kernels compiled for the vector unit 'avx512'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const AllPanelKernels panel_kernels_avx512 = all_kernels;

}  // namespace echelon
