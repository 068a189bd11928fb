// base/gemm_neon.cpp -- the matrix product compiled for the vector unit 'neon'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm_text.hpp"

namespace echelon {

extern const GemmKernels gemm_neon = all_gemms;

}  // namespace echelon
