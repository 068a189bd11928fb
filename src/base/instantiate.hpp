// base/instantiate.hpp -- the macro that instantiates a template for the four scalars.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

// ECHELON_FOR_EACH_SCALAR(M) expands M(float) M(double) M(complex<float>) M(complex<double>).
#define ECHELON_FOR_EACH_SCALAR(M) M(float) M(double) M(std::complex<float>) M(std::complex<double>)
