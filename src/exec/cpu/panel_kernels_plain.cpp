// exec/cpu/panel_kernels_plain.cpp -- the panel kernels compiled for the vector unit 'plain'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/cpu/panel_kernels_text.hpp"

namespace echelon {

extern const AllPanelKernels panel_kernels_plain = all_kernels;

}  // namespace echelon
