// factor/no_metis.cpp -- throws backend_missing for METIS in a build without it.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/ordering.hpp"

namespace echelon {

std::vector<Index> order_metis(const Adjacency&) {
  throw Error(ErrorCode::backend_missing,
              "this build has no METIS (Debian: libmetis-dev); use the ordering amd or natural");
}

}  // namespace echelon
