// factor/no_klu.cpp -- throws backend_missing for KLU in a build without it.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/factor.hpp"
#include "factor/choose_lu.hpp"

namespace echelon {

LuForecast forecast_lu(const Pattern&) { return {}; }

template <Scalar T>
Factors<T> factor_klu(const MatrixView<T>&, const FactorOptions&) {
  throw Error(ErrorCode::backend_missing, "this build has no KLU (Debian: libsuitesparse-dev)");
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_klu(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
