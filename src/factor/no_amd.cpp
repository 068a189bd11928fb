// factor/no_amd.cpp -- throws backend_missing for AMD in a build without it.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/error.hpp"
#include "factor/ordering.hpp"

namespace echelon {

std::vector<Index> order_amd(const Adjacency&) {
  throw Error(ErrorCode::backend_missing, "this build has no AMD (Debian: libsuitesparse-dev)");
}

}  // namespace echelon
