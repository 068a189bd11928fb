// base/read_sum_avx2.cpp -- the sum of an array compiled for the vector unit 'avx2'.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/read_sum_text.hpp"

namespace echelon {

double read_sum_avx2(const double* values, std::size_t count);
double read_sum_avx2(const double* values, std::size_t count) { return sum_array(values, count); }

}  // namespace echelon
