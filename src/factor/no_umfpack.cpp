// factor/no_umfpack.cpp -- throws backend_missing for UMFPACK in a build without it.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/factor.hpp"

namespace echelon {

template <Scalar T>
Factors<T> factor_umfpack(const MatrixView<T>&, const FactorOptions&) {
  throw Error(ErrorCode::backend_missing, "this build has no UMFPACK (Debian: libsuitesparse-dev)");
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_umfpack(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
