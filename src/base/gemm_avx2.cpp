// base/gemm_avx2.cpp -- the matrix product compiled for the vector unit 'avx2'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm_text.hpp"

namespace echelon {

extern const GemmKernels gemm_avx2 = all_gemms;

}  // namespace echelon
