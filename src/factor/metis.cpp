// factor/metis.cpp -- nested dissection by METIS.
// SPDX-License-Identifier: BSD-3-Clause
#include <metis.h>

#include "factor/ordering.hpp"

namespace echelon {

static_assert(sizeof(idx_t) == sizeof(Index), "METIS must be built with 32-bit indices");

std::vector<Index> order_metis(const Adjacency& g) {
  if (g.index.empty()) return natural_order(g);  // METIS fails without an edge
  Adjacency copy = g;                            // METIS's arguments are not const
  idx_t n = g.n();
  std::vector<Index> order(static_cast<std::size_t>(n)), position(order.size());
  const int status = METIS_NodeND(&n, copy.start.data(), copy.index.data(), nullptr, nullptr,
                                  order.data(), position.data());
  if (status == METIS_ERROR_MEMORY)
    throw Error(ErrorCode::out_of_memory, "METIS_NodeND: not enough memory");
  if (status != METIS_OK)
    throw Error(ErrorCode::backend_failed,
                "METIS_NodeND failed with status " + std::to_string(status));
  return order;
}

}  // namespace echelon
