// factor/amd.cpp -- approximate minimum degree by AMD of SuiteSparse.
// SPDX-License-Identifier: BSD-3-Clause
#include <amd.h>

#include "factor/ordering.hpp"

namespace echelon {

std::vector<Index> order_amd(const Adjacency& g) {
  if (g.index.empty()) return natural_order(g);  // AMD rejects a null pointer
  std::vector<Index> order(static_cast<std::size_t>(g.n()));
  const int status =
      amd_order(g.n(), g.start.data(), g.index.data(), order.data(), nullptr, nullptr);
  if (status == AMD_OUT_OF_MEMORY)
    throw Error(ErrorCode::out_of_memory, "amd_order: not enough memory");
  if (status != AMD_OK)
    throw Error(ErrorCode::backend_failed,
                "amd_order failed with status " + std::to_string(status));
  return order;
}

}  // namespace echelon
