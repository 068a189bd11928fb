// base/gemm_plain.cpp -- the matrix product compiled for the vector unit 'plain'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm_text.hpp"

namespace echelon {

extern const GemmText<float> gemm_float_plain = run_gemm<float>;
extern const GemmText<double> gemm_double_plain = run_gemm<double>;

}  // namespace echelon
