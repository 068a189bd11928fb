// factor/superlu_calls.hpp -- the functions of SuperLU that differ by precision, under one name.
// SPDX-License-Identifier: BSD-3-Clause
//
// SuperLU writes the four precisions out as functions s..., d..., c... and z... of the same
// arguments.  The headers of all four can be included side by side.
#pragma once

#include <slu_cdefs.h>
#include <slu_ddefs.h>
#include <slu_sdefs.h>
#include <slu_zdefs.h>

#include "echelon/types.hpp"

namespace echelon {

template <Scalar T>
struct SuperluCalls;

// The row names its functions: scalar, letter of the precision, its SuperLU type code.
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
