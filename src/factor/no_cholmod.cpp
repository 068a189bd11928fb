// factor/no_cholmod.cpp -- throws backend_missing for CHOLMOD in a build without its header.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/factor.hpp"
#include "factor/given_order.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::backend_missing, "this build has no CHOLMOD (Debian: libsuitesparse-dev)");
}

}  // namespace

template <Scalar T>
Factors<T> factor_cholmod(const MatrixView<T>&, const FactorOptions&) {
  refuse();
}

template <Scalar T>
Factors<T> factor_cholmod_ordered(const MatrixView<T>&, const FactorOptions&, const GivenOrder&) {
  refuse();
}

template <Scalar T>
Factors<T> load_cholmod(const void*) {
  refuse();
}

#define ECHELON_INSTANTIATE(T)                                                           \
  template Factors<T> factor_cholmod(const MatrixView<T>&, const FactorOptions&);        \
  template Factors<T> factor_cholmod_ordered(const MatrixView<T>&, const FactorOptions&, \
                                             const GivenOrder&);                         \
  template Factors<T> load_cholmod<T>(const void*);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
