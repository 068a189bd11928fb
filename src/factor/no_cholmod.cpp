// factor/no_cholmod.cpp -- throws backend_missing for CHOLMOD and AMD in a build without
// SuiteSparse.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "factor/ordering.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorCode::backend_missing,
              std::string("this build has no ") + what + " (Debian: libsuitesparse-dev)");
}

}  // namespace

std::vector<Index> order_amd(const Adjacency&) { refuse("AMD"); }

template <Scalar T>
Factors<T> factor_cholmod(const CsrView<T>&, const FactorOptions&) {
  refuse("CHOLMOD");
}

template <Scalar T>
Factors<T> load_cholmod(const void*) {
  refuse("CHOLMOD");
}

#define ECHELON_INSTANTIATE(T)                                                 \
  template Factors<T> factor_cholmod(const CsrView<T>&, const FactorOptions&); \
  template Factors<T> load_cholmod<T>(const void*);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
