// factor/no_superlu.cpp -- throws backend_missing for SuperLU in a build without it.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/factor.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::backend_missing, "this build has no SuperLU (Debian: libsuperlu-dev)");
}

}  // namespace

template <Scalar T>
Factors<T> factor_superlu(const MatrixView<T>&, const FactorOptions&) {
  refuse();
}

template <Scalar T>
Factors<T> factor_superlu_ilu(const MatrixView<T>&, const FactorOptions&) {
  refuse();
}

template <Scalar T>
Factors<T> load_superlu(const void*, const void*, const int*, const int*) {
  refuse();
}

#define ECHELON_INSTANTIATE(T)                                                        \
  template Factors<T> factor_superlu(const MatrixView<T>&, const FactorOptions&);     \
  template Factors<T> factor_superlu_ilu(const MatrixView<T>&, const FactorOptions&); \
  template Factors<T> load_superlu<T>(const void*, const void*, const int*, const int*);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
