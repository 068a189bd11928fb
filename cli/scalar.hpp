// cli/scalar.hpp -- calls a function with the scalar type that the flags and the file imply.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon::cli {

enum class Precision { in_double, in_float };
enum class Numbers { real, complex };

constexpr const char* name(Precision p) { return p == Precision::in_double ? "double" : "float"; }

// Calls f.operator()<T>() with this scalar.
template <class Function>
auto with_scalar(Precision precision, Numbers numbers, const Function& f) {
  if (numbers == Numbers::complex)
    return precision == Precision::in_double ? f.template operator()<std::complex<double>>()
                                             : f.template operator()<std::complex<float>>();
  return precision == Precision::in_double ? f.template operator()<double>()
                                           : f.template operator()<float>();
}

}  // namespace echelon::cli
