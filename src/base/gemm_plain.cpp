// base/gemm_plain.cpp -- the matrix product compiled for the vector unit 'plain'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm_text.hpp"

namespace echelon {

extern const GemmKernels gemm_plain = all_gemms;

}  // namespace echelon
