// base/gemm_avx512.cpp -- the matrix product compiled for the vector unit 'avx512'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm_text.hpp"

namespace echelon {

extern const GemmKernels gemm_avx512 = all_gemms;

}  // namespace echelon
