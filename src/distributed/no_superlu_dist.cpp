// distributed/no_superlu_dist.cpp -- stubs of the SuperLU_DIST adapter for builds without it: they
// throw backend_missing.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/superlu_dist.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::backend_missing,
              "this build has no SuperLU_DIST (Debian: libsuperlu-dist-dev)");
}

}  // namespace

template <Scalar T>
RankFactors<T> load_superlu_dist(MPI_Comm, const void*, const void*, const void*, Index) {
  refuse();
}

BlockMap superlu_dist_map(const void*, Index) { refuse(); }

#define ECHELON_INSTANTIATE(T)                                                                  \
  template RankFactors<T> load_superlu_dist<T>(MPI_Comm, const void*, const void*, const void*, \
                                               Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
