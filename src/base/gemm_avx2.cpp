// base/gemm_avx2.cpp -- the matrix product compiled for the vector unit 'avx2'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm_text.hpp"

namespace echelon {

extern const GemmText<float> gemm_float_avx2 = run_gemm<float>;
extern const GemmText<double> gemm_double_avx2 = run_gemm<double>;

}  // namespace echelon
