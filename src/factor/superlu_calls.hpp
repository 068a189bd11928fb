// factor/superlu_calls.hpp -- overloads for the SuperLU functions of the four precisions.
// SPDX-License-Identifier: BSD-3-Clause
//
// SuperLU names the functions of the four precisions s..., d..., c... and z..., with equal
// arguments.  All four headers can be included together.
#pragma once

#include <slu_cdefs.h>
#include <slu_ddefs.h>
#include <slu_sdefs.h>
#include <slu_zdefs.h>

#include "echelon/types.hpp"

namespace echelon {

template <Scalar T>
struct SuperluCalls;

// Scalar, letter of the precision, type code of SuperLU.
#define ECHELON_SUPERLU_CALLS(T, letter, code)              \
  template <>                                               \
  struct SuperluCalls<T> {                                  \
    static constexpr Dtype_t type = code;                   \
    static constexpr auto* factorize = &letter##gstrf;      \
    static constexpr auto* factorize_ilu = &letter##gsitrf; \
    static constexpr auto* find_scales = &letter##gsequ;    \
    static constexpr auto* apply_scales = &letter##laqgs;   \
  };
ECHELON_SUPERLU_CALLS(float, s, SLU_S)
ECHELON_SUPERLU_CALLS(double, d, SLU_D)
ECHELON_SUPERLU_CALLS(std::complex<float>, c, SLU_C)
ECHELON_SUPERLU_CALLS(std::complex<double>, z, SLU_Z)
#undef ECHELON_SUPERLU_CALLS

}  // namespace echelon
